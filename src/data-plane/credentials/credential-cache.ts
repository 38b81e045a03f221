import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../domain/credential.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { FairSemaphore } from '../../base/fair-semaphore.ts';
import { MINUTE_MS } from '../../base/time.ts';
import { toSite } from '../../http/addresses.ts';
import { SingleFlight, type Flight } from './single-flight.ts';

interface Entry extends Used {
  readonly readAt: number;
  readonly generation: number;
}

/** A bounded cache of credentials in front of the registry, so that requests with a known key need no lookup. */
export class CredentialCache {
  /**
   * Numbers of lookups, by how they were answered: `hits` and `unknown` from memory; `misses` by asking the registry;
   * `stale` from memory, because the registry did not answer.
   */
  readonly counters = { hits: 0, unknown: 0, misses: 0, stale: 0 };
  readonly #source: CredentialSource;
  readonly #settings: CredentialCacheOptions;
  readonly #onError: (error: unknown) => void;
  readonly #known: LRUCache<string, Entry>;
  /**
   * Hash of an unknown key → when the registry was asked. Separate from the known keys, so that junk can't evict a
   * customer's key.
   */
  readonly #unknown: LRUCache<string, number>;
  readonly #singleFlight = new SingleFlight<Credential | null>();
  readonly #unknownLookUps: FairSemaphore;
  readonly #lastUses: LastUses;
  readonly #timer: NodeJS.Timeout;
  /** Entries of an earlier generation must be read again. */
  #generation = 0;
  #registryDown = false;
  #nextProbeAt = 0;

  /** @param onError called for errors of background work */
  constructor(
    source: CredentialSource,
    onError: (error: unknown) => void,
    settings: Partial<CredentialCacheOptions> = {},
  ) {
    this.#source = source;
    this.#onError = onError;
    this.#settings = { ...credentialCacheDefaults, ...settings };
    this.#known = new LRUCache({ max: this.#settings.maxKeys });
    this.#unknown = new LRUCache({ max: this.#settings.maxUnknown });
    const { maxLookUps: concurrency, maxWaiting, maxWaitingPerParty } = this.#settings;
    this.#unknownLookUps = new FairSemaphore({ concurrency, maxWaiting, maxWaitingPerParty });
    this.#lastUses = new LastUses(source, this.#settings.clock, this.#settings.wallClock);
    source.onInvalidation((what) => this.#invalidate(what));
    this.#timer = setInterval(() => this.#inBackground(this.flushUsage()), this.#settings.flushEveryMs).unref();
  }

  /**
   * Looks up the credential of a key: synchronously if the key is cached. Null for an unknown key.
   *
   * @param hash SHA-256 of a well-formed secret
   * @throws what `ask` throws (as a rejection)
   */
  lookUp(hash: string): Awaitable<Credential | null> {
    const known = this.known(hash);
    return known === undefined ? this.ask(hash) : known;
  }

  /** The cached credential of a key: null if the key is known not to exist; undefined if the registry must be asked. */
  known(hash: string): Credential | null | undefined {
    const now = this.#settings.clock();
    const entry = this.#known.get(hash);
    if (entry !== undefined) {
      const age = now - entry.readAt;
      if (age < this.#settings.freshForMs && entry.generation === this.#generation) {
        this.counters.hits++;
        this.#lastUses.note(entry, now);
        return entry.credential;
      }
      if (this.#registryDown && age < this.#settings.keptForMs) {
        this.#probe(hash, now);
        return this.#serveStale(entry, now);
      }
    } else {
      const readAt = this.#unknown.get(hash);
      if (readAt !== undefined && now - readAt < this.#settings.unknownForMs) {
        this.counters.unknown++;
        return null;
      }
    }
    return undefined;
  }

  /**
   * Asks the registry. Concurrent calls for the same key share one lookup.
   *
   * @param party the party that causes the lookup: lookups of unknown keys queue separately for each party. Default:
   * the gateway itself
   * @throws StoreUnavailable (as a rejection) if the key is not cached and the registry is unavailable
   * @throws Overloaded (as a rejection) if the key is not cached and too many lookups are queued
   */
  ask(hash: string, party = ''): Promise<Credential | null> {
    this.counters.misses++;
    return this.#singleFlight.join(hash, (_, flight) => this.#readOrServeStale(hash, party, flight));
  }

  /**
   * Notes the address that a key was used from, so that the registry can record its network. Only the last address of
   * each key is kept.
   */
  noteAddress(keyId: string, address: string): void {
    this.#lastUses.noteAddress(keyId, address);
  }

  /** Sends last uses to the registry. */
  flushUsage(): Promise<void> {
    return this.#lastUses.flush();
  }

  /** Whether there are last uses that the registry has not recorded. */
  get hasUnsentUses(): boolean {
    return this.#lastUses.hasUnsent;
  }

  /** @throws StoreUnavailable if the last uses could not be saved, or reported as saved */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flushUsage();
  }

  async #readOrServeStale(hash: string, party: string, flight: Flight): Promise<Credential | null> {
    try {
      const read = () => this.#read(hash, flight);
      // Cached keys do not queue, so that they never wait behind junk.
      return await (this.#known.has(hash) ? read() : this.#unknownLookUps.run(party, read));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const now = this.#settings.clock();
      this.#registryDown = true;
      this.#nextProbeAt = now + this.#settings.probeEveryMs;
      // The cache is read again here, because the key may have been revoked during the lookup.
      const entry = this.#known.peek(hash);
      if (entry === undefined || now - entry.readAt >= this.#settings.keptForMs) throw error;
      return this.#serveStale(entry, now);
    }
  }

  async #read(hash: string, flight: Flight): Promise<Credential | null> {
    const readAt = this.#settings.clock();
    const credential = await this.#source.findCredential(hash);
    this.#registryDown = false;
    if (!flight.superseded) this.#remember(hash, credential, readAt);
    return credential;
  }

  #remember(hash: string, credential: Credential | null, readAt: number): void {
    if (credential === null) {
      this.#known.delete(hash);
      this.#unknown.set(hash, readAt);
      return;
    }
    const entry = { credential, readAt, generation: this.#generation, usedAt: readAt, noted: false };
    this.#lastUses.note(entry, readAt);
    this.#known.set(hash, entry);
  }

  #serveStale(entry: Entry, now: number): Credential {
    this.counters.stale++;
    this.#lastUses.note(entry, now);
    return entry.credential;
  }

  #probe(hash: string, now: number): void {
    if (now < this.#nextProbeAt) return;
    this.#nextProbeAt = now + this.#settings.probeEveryMs;
    this.#inBackground(this.#singleFlight.join(hash, (_, flight) => this.#readOrServeStale(hash, '', flight)));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) this.#onError(error);
    });
  }

  #invalidate(what: Invalidation): void {
    // After an invalidation, the registry must be asked first, even if it was unavailable a moment ago.
    this.#registryDown = false;
    if (what.kind === 'key') {
      this.#known.delete(what.hash);
      this.#unknown.delete(what.hash);
      this.#singleFlight.supersede(what.hash);
      return;
    }
    // The cached keys are kept. They can still be served if the registry is unavailable when they must be read again.
    this.#generation++;
    this.#unknown.clear();
    this.#singleFlight.supersedeAll();
  }
}

export interface CredentialCacheOptions {
  readonly maxKeys: number;
  readonly maxUnknown: number;
  /** Maximum number of concurrent lookups of keys that are not cached. */
  readonly maxLookUps: number;
  /** Maximum number of waiting lookups: in total, and per party. */
  readonly maxWaiting: number;
  readonly maxWaitingPerParty: number;
  /** How long a key is served without being read again, in case an invalidation was lost. */
  readonly freshForMs: number;
  /** How long a key is served while the registry is unavailable. */
  readonly keptForMs: number;
  /** How long a key is remembered as unknown. */
  readonly unknownForMs: number;
  /** Minimum time between attempts to reach an unavailable registry while keys are served stale. */
  readonly probeEveryMs: number;
  /** How often last uses are sent to the registry. */
  readonly flushEveryMs: number;
  /** Monotonic, in ms. */
  readonly clock: () => number;
  /** Milliseconds since the Unix epoch. */
  readonly wallClock: () => number;
}

const credentialCacheDefaults: CredentialCacheOptions = {
  maxKeys: 50_000,
  maxUnknown: 10_000,
  maxLookUps: 32,
  maxWaiting: 1_000,
  maxWaitingPerParty: 100,
  freshForMs: 30_000,
  keptForMs: 15 * MINUTE_MS,
  unknownForMs: 5_000,
  probeEveryMs: 1_000,
  flushEveryMs: 30_000,
  clock: () => performance.now(),
  wallClock: () => Date.now(),
};

/**
 * The entries that a cache must drop after a change: one key, by its hash, or all keys, because a changed plan may
 * affect any key.
 */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/** The source of credentials: the registry. Rejects with `StoreUnavailable` while it is unavailable. */
export interface CredentialSource {
  /** @param hash SHA-256 of the secret, base64url @returns null if no key has this hash */
  findCredential(hash: string): Promise<Credential | null>;
  /**
   * Records when keys were last used (id → ms since the Unix epoch), and from which networks, if known. A later time is
   * never replaced with an earlier one.
   */
  touchKeys(lastUsed: ReadonlyMap<string, number>, networks: ReadonlyMap<string, string>): Promise<void>;
  /** Reports that all uses up to a moment are recorded, even if there were none. @param agoMs time since that moment */
  reportUses(agoMs: number): Promise<void>;
  /**
   * Calls the listener after every change, by any gateway or operator. Also calls it with `all` if changes may have
   * been missed.
   */
  onInvalidation(listener: (what: Invalidation) => void): void;
}

/**
 * A cached credential with its last use. The use is stored in the entry itself, so that recording it takes only two
 * writes per request.
 */
interface Used {
  readonly credential: Credential;
  /** Milliseconds, by the monotonic clock. */
  usedAt: number;
  /** Whether the credential is already queued for the next flush. */
  noted: boolean;
}

/** Collects the last uses of keys until they are stored in the registry. */
class LastUses {
  readonly #source: Pick<CredentialSource, 'touchKeys' | 'reportUses'>;
  readonly #clock: () => number;
  readonly #wallClock: () => number;
  #noted: Used[] = [];
  /** Key id → ms since the Unix epoch, to the minute. Only keys that were active when they were used. */
  #unsent = new Map<string, number>();
  /** Key id → address of the last use. Only replaced keys that still work until they are no longer used. */
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

  note(used: Used, now: number): void {
    used.usedAt = now;
    if (used.noted) return;
    used.noted = true;
    this.#noted.push(used);
  }

  noteAddress(keyId: string, address: string): void {
    this.#addresses.set(keyId, address);
  }

  get hasUnsent(): boolean {
    return this.#noted.length > 0 || this.#unsent.size > 0;
  }

  /** Sends the collected uses. If that fails, they are kept for the next flush. Flushes run one after the other. */
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
    if (this.#unsent.size > 0) await this.#touch();
    await this.#source.reportUses(this.#clock() - collectedAt);
  }

  async #touch(): Promise<void> {
    const [sending, addresses] = [this.#unsent, this.#addresses];
    this.#unsent = new Map();
    this.#addresses = new Map();
    try {
      await this.#source.touchKeys(sending, collectNetworks(addresses, sending));
    } catch (error) {
      for (const [id, at] of sending) this.#keep(id, at);
      for (const [id, address] of addresses) if (!this.#addresses.has(id)) this.#addresses.set(id, address);
      throw error;
    }
  }

  #collect(): void {
    const used = this.#noted;
    this.#noted = [];
    const offsetMs = this.#wallClock() - this.#clock();
    for (const one of used) {
      one.noted = false;
      const { keyId, status, expiresAt } = one.credential;
      const at = one.usedAt + offsetMs;
      if (status === 'active' && (expiresAt === null || at < expiresAt)) this.#keep(keyId, at - (at % MINUTE_MS));
    }
  }

  #keep(id: string, at: number): void {
    if (at > (this.#unsent.get(id) ?? 0)) this.#unsent.set(id, at);
  }
}

function collectNetworks(
  addresses: ReadonlyMap<string, string>,
  used: ReadonlyMap<string, number>,
): Map<string, string> {
  const networks = new Map<string, string>();
  for (const [id, address] of addresses) {
    const network = toSite(address);
    if (network !== null && used.has(id)) networks.set(id, network);
  }
  return networks;
}
