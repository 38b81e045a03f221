import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../base/awaitable.ts';
import { type Credential, isFoundBy, type Presented } from '../../domain/credential.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { FairSemaphore } from '../../base/fair-semaphore.ts';
import { MINUTE_MS } from '../../base/time.ts';
import { toRecordedRange } from '../../http/addresses.ts';
import { SingleFlight, type Flight } from './single-flight.ts';

interface CacheEntry extends CredentialUse {
  readonly readAt: number;
  readonly generation: Generation;
}

/** The entries between two changes that may concern all keys. */
interface Generation {
  /** When its entries were last known to be right; null while it is the current one. */
  confirmedUntil: number | null;
}

/** A bounded cache of credentials in front of the registry, so that requests with a known key need no lookup. */
export class CredentialCache {
  /**
   * Counts lookups by their result: `hits`, the key was cached; `unknown`, the key was cached as unknown; `misses`, the
   * registry was asked; `stale`, the registry was unavailable, so an old entry was used.
   */
  readonly counters = { hits: 0, unknown: 0, misses: 0, stale: 0 };
  readonly #source: CredentialSource;
  readonly #options: CredentialCacheOptions;
  readonly #onError: (error: unknown) => void;
  readonly #known: LRUCache<string, CacheEntry>;
  /**
   * Maps the hash of an unknown key to the time when the registry was asked. Separate from the known keys, so that junk
   * can't evict a customer's key.
   */
  readonly #unknown: LRUCache<string, number>;
  readonly #singleFlight = new SingleFlight<Credential | null>();
  readonly #lookUpSemaphore: FairSemaphore;
  readonly #lastUses: LastUses;
  readonly #timer: NodeJS.Timeout;
  /** Entries of an earlier generation must be read again. */
  #generation: Generation = { confirmedUntil: null };
  #registryDown = false;
  /** When the registry last responded. */
  #reachedAt = -Infinity;
  #nextProbeAt = 0;

  /** @param onError called for errors of background work */
  constructor(
    source: CredentialSource,
    onError: (error: unknown) => void,
    options: Partial<CredentialCacheOptions> = {},
  ) {
    this.#source = source;
    this.#onError = onError;
    const allOptions = { ...credentialCacheDefaults, ...options };
    // A key may never be served for longer than other gateways expect.
    this.#options = { ...allOptions, heardForMs: Math.min(allOptions.heardForMs, allOptions.staleForMs) };
    this.#known = new LRUCache({ max: this.#options.maxKeys });
    this.#unknown = new LRUCache({ max: this.#options.maxUnknown });
    const { maxLookUps: concurrency, maxWaiting, maxWaitingPerParty } = this.#options;
    this.#lookUpSemaphore = new FairSemaphore({ concurrency, maxWaiting, maxWaitingPerParty });
    this.#lastUses = new LastUses(source, this.#options.clock, this.#options.wallClock);
    source.onInvalidation((invalidation) => this.#invalidate(invalidation));
    this.#timer = setInterval(() => this.#inBackground(this.flushUsage()), this.#options.flushEveryMs).unref();
  }

  /**
   * Looks up the credential of a key, synchronously if the key is cached.
   *
   * @param hash SHA-256 of a well-formed secret, or the hash of a caller
   * @returns null for an unknown key
   * @throws StoreUnavailable or Overloaded (as a rejection), like `askRegistry`
   */
  lookUp(hash: string, presented: Presented): Awaitable<Credential | null> {
    const cached = this.findCached(hash, presented);
    return cached === undefined ? this.askRegistry(hash, presented) : cached;
  }

  /**
   * Finds the cached credential of a key.
   *
   * @returns null if the key is known not to exist; undefined if the registry must be asked
   */
  findCached(hash: string, presented: Presented): Credential | null | undefined {
    const now = this.#options.clock();
    const entry = this.#known.get(hash);
    if (entry !== undefined) {
      if (!isFoundBy(entry.credential.kind, presented)) return null;
      if (this.#isFresh(entry, now)) {
        this.counters.hits++;
        this.#lastUses.note(entry, now);
        return entry.credential;
      }
      if (this.#registryDown && this.#mayServeStale(entry, now)) {
        this.#probe(hash, now);
        return this.#serveStale(entry, now);
      }
    } else {
      const readAt = this.#unknown.get(hash);
      if (readAt !== undefined && now - readAt < this.#options.unknownForMs) {
        this.counters.unknown++;
        return null;
      }
    }
    return undefined;
  }

  /**
   * Asks the registry. Concurrent calls for the same key share one lookup.
   *
   * @param party identifies the caller, because lookups of keys that are not cached have one queue per caller; by
   * default, the gateway itself
   * @throws StoreUnavailable (as a rejection) if the key is not cached and the registry is unavailable
   * @throws Overloaded (as a rejection) if the key is not cached and too many lookups are queued
   */
  async askRegistry(hash: string, presented: Presented, party = ''): Promise<Credential | null> {
    this.counters.misses++;
    const credential = await this.#singleFlight.join(hash, (_, flight) => this.#readOrServeStale(hash, party, flight));
    return credential !== null && isFoundBy(credential.kind, presented) ? credential : null;
  }

  /**
   * Remembers the address that a key was last used from, so that the next flush can report its network to the registry.
   */
  noteAddress(keyId: string, address: string): void {
    this.#lastUses.noteAddress(keyId, address);
  }

  /** Sends the times of last use to the registry. */
  async flushUsage(): Promise<void> {
    const startedAt = this.#options.clock();
    await this.#lastUses.flush();
    this.#reachedAt = Math.max(this.#reachedAt, startedAt);
  }

  /** Whether there are uses that the registry has not recorded. */
  get hasUnsentUses(): boolean {
    return this.#lastUses.hasUnsent;
  }

  /** @throws StoreUnavailable if the last flush failed */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flushUsage();
  }

  async #readOrServeStale(hash: string, party: string, flight: Flight): Promise<Credential | null> {
    try {
      const read = () => this.#read(hash, flight);
      // Cached keys do not queue, so that they never wait behind junk.
      return await (this.#known.has(hash) ? read() : this.#lookUpSemaphore.run(party, read));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const now = this.#options.clock();
      this.#registryDown = true;
      this.#nextProbeAt = now + this.#options.probeEveryMs;
      // An entry read before the lookup could be out of date: the key may have been revoked in the meantime.
      const entry = this.#known.peek(hash);
      if (entry === undefined || !this.#mayServeStale(entry, now)) throw error;
      return this.#serveStale(entry, now);
    }
  }

  async #read(hash: string, flight: Flight): Promise<Credential | null> {
    const readAt = this.#options.clock();
    const credential = await this.#source.findCredential(hash);
    this.#registryDown = false;
    this.#reachedAt = Math.max(this.#reachedAt, readAt);
    if (!flight.isSuperseded) this.#remember(hash, credential, readAt);
    return credential;
  }

  /** Whether an entry is served without asking the registry. Beyond `freshForMs`, changes must be heard. */
  #isFresh({ readAt, generation }: CacheEntry, now: number): boolean {
    if (generation !== this.#generation) return false;
    const age = now - readAt;
    if (age < this.#options.freshForMs) return true;
    return age < this.#options.heardForMs && now - this.#source.heardUntil() < HEARD_WITHIN_MS;
  }

  /** Whether an entry may be served while the registry is unavailable. */
  #mayServeStale({ readAt, generation }: CacheEntry, now: number): boolean {
    const confirmedUntil = generation.confirmedUntil ?? this.#findConfirmedUntil();
    return now - Math.max(readAt, confirmedUntil) < this.#options.staleForMs;
  }

  /**
   * The time up to which the entries of the current generation are known to be right. Hearing changes is not enough: once
   * the registry is unreachable, the uses of keys are not recorded, and other gateways rely on `staleForMs` from then on.
   */
  #findConfirmedUntil(): number {
    return Math.min(this.#source.heardUntil(), this.#reachedAt);
  }

  #remember(hash: string, credential: Credential | null, readAt: number): void {
    if (credential === null) {
      this.#known.delete(hash);
      this.#unknown.set(hash, readAt);
      return;
    }
    const entry = { credential, readAt, generation: this.#generation, usedAt: readAt, isQueued: false };
    this.#lastUses.note(entry, readAt);
    this.#known.set(hash, entry);
  }

  #serveStale(entry: CacheEntry, now: number): Credential {
    this.counters.stale++;
    this.#lastUses.note(entry, now);
    return entry.credential;
  }

  #probe(hash: string, now: number): void {
    if (now < this.#nextProbeAt) return;
    this.#nextProbeAt = now + this.#options.probeEveryMs;
    this.#inBackground(this.#singleFlight.join(hash, (_, flight) => this.#readOrServeStale(hash, '', flight)));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) this.#onError(error);
    });
  }

  #invalidate(invalidation: Invalidation): void {
    // Nothing may be served stale before the registry has been asked, even if it was unavailable a moment ago.
    this.#registryDown = false;
    if (invalidation.kind === 'key') {
      this.#known.delete(invalidation.hash);
      this.#unknown.delete(invalidation.hash);
      this.#singleFlight.supersede(invalidation.hash);
      return;
    }
    // The cached keys are kept, so that they can be served stale if the registry is unavailable.
    this.#generation.confirmedUntil = this.#findConfirmedUntil();
    this.#generation = { confirmedUntil: null };
    this.#unknown.clear();
    this.#singleFlight.supersedeAll();
  }
}

export interface CredentialCacheOptions {
  readonly maxKeys: number;
  readonly maxUnknown: number;
  /** Maximum number of concurrent lookups of keys that are not cached. */
  readonly maxLookUps: number;
  /** Maximum number of waiting lookups in total. */
  readonly maxWaiting: number;
  /** Maximum number of waiting lookups per caller. */
  readonly maxWaitingPerParty: number;
  /** How long a key is served without being read again, even if changes are not heard. */
  readonly freshForMs: number;
  /** How long a key is served without being read again while changes are heard. */
  readonly heardForMs: number;
  /** How long a key can be served while the registry is unavailable, after it was last known to be right. */
  readonly staleForMs: number;
  /** How long a key is remembered as unknown. */
  readonly unknownForMs: number;
  /** Minimum time between attempts to reach an unavailable registry while keys are served stale. */
  readonly probeEveryMs: number;
  /** How often the times of last use are sent to the registry. */
  readonly flushEveryMs: number;
  /** Monotonic, in ms. */
  readonly clock: () => number;
  /** Milliseconds since the Unix epoch. */
  readonly wallClock: () => number;
}

/** Changes count as heard if all changes up to this long ago have been announced. The database confirms that every second. */
const HEARD_WITHIN_MS = 3000;

const credentialCacheDefaults: CredentialCacheOptions = {
  maxKeys: 50_000,
  maxUnknown: 10_000,
  maxLookUps: 32,
  maxWaiting: 1_000,
  maxWaitingPerParty: 100,
  freshForMs: 30_000,
  heardForMs: 15 * MINUTE_MS,
  staleForMs: 15 * MINUTE_MS,
  unknownForMs: 5_000,
  probeEveryMs: 1_000,
  flushEveryMs: 30_000,
  clock: () => performance.now(),
  wallClock: () => Date.now(),
};

/**
 * The keys that a cache must read again after a change: one key, by its hash, or all keys, such as after the change of a
 * plan.
 */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/** The source of credentials: the registry. Rejects with `StoreUnavailable` while it is unavailable. */
export interface CredentialSource {
  /** @param hash as in `Key` @returns null if no key, of any kind, has this hash */
  findCredential(hash: string): Promise<Credential | null>;
  /**
   * Records when keys were last used, unless a later time is already recorded.
   *
   * @param lastUsed maps the id of a key to ms since the Unix epoch
   * @param networks maps the id of a key to the network it was last used from, if that is known
   */
  touchKeys(lastUsed: ReadonlyMap<string, number>, networks: ReadonlyMap<string, string>): Promise<void>;
  /**
   * Reports that every use up to `agoMs` ago has been passed to `touchKeys`. Called after every flush, even if there
   * were no uses.
   */
  reportUses(agoMs: number): Promise<void>;
  /**
   * Calls the listener after every change by any gateway or operator, and with `all` if changes may have been missed.
   */
  onInvalidation(listener: (invalidation: Invalidation) => void): void;
  /**
   * The time, by `performance.now()`, up to which every change has been passed to the listeners, or reported as possibly
   * missed. It stands still while announcements do not arrive.
   */
  heardUntil(): number;
}

/**
 * A cached credential with its last use. The time is stored in the entry itself, because this is cheaper per request
 * than another map.
 */
interface CredentialUse {
  readonly credential: Credential;
  /** When the key was last used, in ms by the monotonic clock. */
  usedAt: number;
  /** Whether the credential is already queued for the next flush. */
  isQueued: boolean;
}

/** Collects when keys were last used, and reports it to the registry from time to time. */
class LastUses {
  readonly #source: Pick<CredentialSource, 'touchKeys' | 'reportUses'>;
  readonly #clock: () => number;
  readonly #wallClock: () => number;
  #queued: CredentialUse[] = [];
  /**
   * Maps the id of a key to the minute of its last use, in ms since the Unix epoch. Only has keys that were active when
   * they were used.
   */
  #unsent = new Map<string, number>();
  /** Maps the id of a key to the address of its last use. Only has rotated keys that still work. */
  #addresses = new Map<string, string>();
  #flushed: Promise<void> = Promise.resolve();

  constructor(
    source: Pick<CredentialSource, 'touchKeys' | 'reportUses'>,
    clock: () => number,
    wallClock: () => number,
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#wallClock = wallClock;
  }

  note(use: CredentialUse, now: number): void {
    use.usedAt = now;
    if (use.isQueued) return;
    use.isQueued = true;
    this.#queued.push(use);
  }

  noteAddress(keyId: string, address: string): void {
    this.#addresses.set(keyId, address);
  }

  get hasUnsent(): boolean {
    return this.#queued.length > 0 || this.#unsent.size > 0;
  }

  /** Sends the collected uses. If that fails, they are kept for the next flush. Concurrent flushes are queued. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(
      () => this.#send(),
      () => this.#send(),
    );
    return this.#flushed;
  }

  async #send(): Promise<void> {
    const collectedAt = this.#clock();
    this.#collect();
    if (this.#unsent.size > 0) await this.#sendUses();
    await this.#source.reportUses(this.#clock() - collectedAt);
  }

  async #sendUses(): Promise<void> {
    const [sentUses, addresses] = [this.#unsent, this.#addresses];
    this.#unsent = new Map();
    this.#addresses = new Map();
    try {
      await this.#source.touchKeys(sentUses, collectNetworks(addresses, sentUses));
    } catch (error) {
      for (const [id, at] of sentUses) this.#addUnsent(id, at);
      for (const [id, address] of addresses) if (!this.#addresses.has(id)) this.#addresses.set(id, address);
      throw error;
    }
  }

  #collect(): void {
    const uses = this.#queued;
    this.#queued = [];
    const offsetMs = this.#wallClock() - this.#clock();
    for (const use of uses) {
      use.isQueued = false;
      const { keyId, status, expiresAt } = use.credential;
      const at = use.usedAt + offsetMs;
      if (status === 'active' && (expiresAt === null || at < expiresAt)) this.#addUnsent(keyId, at - (at % MINUTE_MS));
    }
  }

  #addUnsent(id: string, at: number): void {
    if (at > (this.#unsent.get(id) ?? 0)) this.#unsent.set(id, at);
  }
}

function collectNetworks(
  addresses: ReadonlyMap<string, string>,
  uses: ReadonlyMap<string, number>,
): Map<string, string> {
  const networksByKey = new Map<string, string>();
  for (const [id, address] of addresses) {
    const network = toRecordedRange(address);
    if (network !== null && uses.has(id)) networksByKey.set(id, network);
  }
  return networksByKey;
}
