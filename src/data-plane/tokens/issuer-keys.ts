import type { Logger } from 'pino';
import { FairSemaphore } from '../../base/fair-semaphore.ts';
import { type Clock, HOUR_MS, type Millis, MINUTE_MS, SECOND_MS } from '../../base/time.ts';
import { fetchKeys, KeysUnavailable, type KeyLocation } from './fetch-keys.ts';
import type { SigningKey, TokenAlgorithm } from './signing-key.ts';

/** Fetched a little before ten minutes are over, so that a withdrawn key stops working within ten minutes. */
const REFRESH_MS = 10 * MINUTE_MS - 15 * SECOND_MS;
/** After a failure, the next attempt comes after this time. Without any keys, all calls with tokens wait for it. */
const RETRY_MS = 30 * SECOND_MS;
const FIRST_RETRY_MS = 5 * SECOND_MS;
/** Minimum time between fetches that tokens with an unknown `kid` cause. */
const UNKNOWN_KID_MS = 30 * SECOND_MS;
/** How long a set is used while the issuer is away. */
const MAX_AGE_MS = 24 * HOUR_MS;
/** How often the clock is compared with the times above. */
const TICK_MS = SECOND_MS;

const MAX_WAITING = 1000;
const MAX_WAITING_PER_PARTY = 100;

export interface IssuerKeysOptions extends KeyLocation {
  /** `tokens[].name`. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The keys of an issuer, and whether the last fetch of them failed. */
export interface KeysReport {
  readonly count: number;
  /** The configured algorithms that one of the keys allows. */
  readonly algorithms: readonly TokenAlgorithm[];
  /** When the keys in use were fetched, in ms since the Unix epoch; null: never. */
  readonly fetchedAt: Millis | null;
  /** Whether tokens can be verified with them. */
  readonly isUsable: boolean;
  /** Why the last fetch failed, and since when all fetches have failed; null if it succeeded. */
  readonly failure: { readonly reason: string; readonly since: Millis } | null;
}

/**
 * The public keys of one issuer. They are fetched in the background, so that neither a start nor a reload waits for the
 * issuer.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  /** Null until the first successful fetch. */
  #keys: readonly SigningKey[] | null = null;
  /** Times in ms since the Unix epoch. */
  #fetchedAt = 0;
  #triedAt = -Infinity;
  #askedForKidAt = -Infinity;
  #failure: KeysReport['failure'] = null;
  #fetching: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #abort = new AbortController();
  /** Requests that wait for a fetch. One at a time is let go on, which takes no time once the fetch is over. */
  readonly #waiting = new FairSemaphore({
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingPerParty: MAX_WAITING_PER_PARTY,
  });

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** Begins to fetch the keys regularly. May be called again. */
  start(): void {
    if (this.#timer !== null) return;
    this.#abort = new AbortController();
    this.#timer = setInterval(() => this.#refreshIfDue(), TICK_MS).unref();
    this.#refreshIfDue();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#abort.abort();
  }

  /** Whether the set may be used: it was fetched, and not too long ago. */
  get isUsable(): boolean {
    return this.#keys !== null && this.#options.clock() - this.#fetchedAt < MAX_AGE_MS;
  }

  /** Time since the last successful fetch, in ms; null if there was none. */
  get ageMs(): number | null {
    return this.#keys === null ? null : Math.max(0, this.#options.clock() - this.#fetchedAt);
  }

  /** @param accepted `tokens[].algorithms` */
  report(accepted: readonly TokenAlgorithm[]): KeysReport {
    const keys = this.#keys ?? [];
    return {
      count: keys.length,
      algorithms: accepted.filter((algorithm) => keys.some(({ algorithms }) => algorithms.has(algorithm))),
      fetchedAt: this.#keys === null ? null : this.#fetchedAt,
      isUsable: this.isUsable,
      failure: this.#failure,
    };
  }

  /** The keys that a token with this header may be signed with. A token without `kid` may use any that fits. */
  candidates(algorithm: TokenAlgorithm, kid: string | undefined): readonly SigningKey[] {
    return (this.#keys ?? []).filter((key) => {
      return (kid === undefined || key.kid === kid) && key.algorithms.has(algorithm);
    });
  }

  /** Whether `refresh` could find a key that is missing now: a fetch is running, or may be started. */
  get mayFindMore(): boolean {
    return this.#fetching !== null || this.#mayAsk();
  }

  /**
   * Waits for the running fetch, or for a new one, at most until the time limit of a fetch. Many calls cause at most
   * one fetch in 30 seconds.
   *
   * @param party the party that causes the wait: the waiting requests of one party do not displace those of another
   * @throws Overloaded (as a rejection) if too many requests wait
   */
  refresh(party: string): Promise<void> {
    return this.#waiting.run(party, async () => {
      if (this.#fetching === null && this.#mayAsk()) {
        this.#askedForKidAt = this.#options.clock();
        this.#fetch();
      }
      await this.#fetching;
    });
  }

  #mayAsk(): boolean {
    return isOver(this.#askedForKidAt, UNKNOWN_KID_MS, this.#options.clock());
  }

  #refreshIfDue(): void {
    const { clock } = this.#options;
    const pauseMs = this.#failure !== null ? (this.#keys === null ? FIRST_RETRY_MS : RETRY_MS) : REFRESH_MS;
    if (this.#fetching === null && isOver(this.#triedAt, pauseMs, clock())) this.#fetch();
  }

  #fetch(): void {
    const { clock } = this.#options;
    const startedAt = clock();
    const { signal } = this.#abort;
    this.#triedAt = startedAt;
    this.#fetching = fetchKeys(this.#options, signal)
      .then(
        (keys) => this.#replace(keys, startedAt),
        (error: unknown) => {
          if (!signal.aborted) this.#noteFailure(error);
        },
      )
      .finally(() => (this.#fetching = null));
  }

  /** Keys that are still published stay the same objects, so that tokens that they signed stay remembered. */
  #replace(fetched: readonly SigningKey[], at: number): void {
    const { name, logger } = this.#options;
    const known = new Map(this.#keys?.map((key) => [key.identity, key]));
    const keys = fetched.map((key) => known.get(key.identity) ?? key);
    for (const key of this.#keys ?? []) key.isWithdrawn = !keys.includes(key);
    this.#keys = keys;
    this.#fetchedAt = at;
    if (keys.length === 0) logger.warn({ token: name }, 'the issuer of tokens has no usable keys');
    if (this.#failure !== null) logger.info({ token: name }, 'fetched the keys of the issuer of tokens again');
    this.#failure = null;
  }

  #noteFailure(error: unknown): void {
    const { name, logger, clock } = this.#options;
    const isFirst = this.#failure === null;
    const reason = error instanceof KeysUnavailable ? error.message : 'unexpected error: see the log of the gateway';
    this.#failure = { reason, since: this.#failure?.since ?? clock() };
    if (!(error instanceof KeysUnavailable)) logger.error({ err: error, token: name }, 'reading token keys failed');
    // One line for each time that the issuer goes away: a line for every attempt would say nothing more.
    else if (isFirst)
      logger.warn({ token: name, reason: error.message }, 'could not fetch the keys of the issuer of tokens');
  }
}

/** Whether a pause is over. If the clock was set back, it is. */
function isOver(since: number, pauseMs: number, now: number): boolean {
  return now - since >= pauseMs || now < since;
}
