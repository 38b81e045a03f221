import { MINUTE_MS } from '../../../base/time.ts';
import { waitAtMost } from '../../../base/awaitable.ts';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type { HistoryStore, RefusalRecord } from '../store/history-store.ts';

const FLUSH_EVERY_MS = 1000;
/**
 * Maximum number of refusals stored per quota per minute: a client in a loop is refused for the same reason each time.
 */
const MAX_PER_QUOTA = 5;
/** Maximum number of refusals stored per minute by this gateway: the database keeps them for two days. */
const MAX_PER_MINUTE = 1000;
/** Maximum number of quotas with remembered refusals. */
const MAX_QUOTAS = 10_000;
/** Refusals that wait for the database, about 1 KB each. */
const MAX_PENDING = 5000;
/** Maximum number of refusals sent together. */
const MAX_BATCH = 500;

/** The recent refusals of one quota. */
interface Recent {
  /** Start of the minute in which `kept` were kept. */
  minute: number;
  kept: number;
  /** When the full window of the last refusal resets, and its first refusal. */
  resetAt: number;
  since: number;
}

export interface RefusalCollectorOptions {
  readonly store: Pick<HistoryStore, 'keepRefusals'>;
  /** Called with errors other than `StoreUnavailable`; what could not be kept is dropped. */
  readonly onError: (error: unknown) => void;
}

/**
 * Collects the facts behind refusals, to explain them later, and sends them about once a second. Limited to a few per
 * quota and minute, and to the number that may wait while the database is unavailable.
 */
export class RefusalCollector {
  /** Refusals that were not kept: the quota had its few of that minute; too many of all in it, or waiting; failures. */
  readonly leftOut = { repeated: 0, dropped: 0 };
  readonly #store: RefusalCollectorOptions['store'];
  readonly #onError: (error: unknown) => void;
  readonly #recent = new LRUCache<string, Recent>({ max: MAX_QUOTAS });
  /** Start of the current minute, and how many were kept in it. */
  #minute = 0;
  #kept = 0;
  #pending: RefusalRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushed: Promise<void> | null = null;
  #closed = false;

  constructor({ store, onError }: RefusalCollectorOptions) {
    this.#store = store;
    this.#onError = onError;
  }

  /**
   * Notes a refusal. Call it for each one, since the first of a full window is remembered even if it is not stored.
   *
   * @param now ms since the Unix epoch
   * @param resetAt when the window that refused resets; 0 if none did
   * @param isTurningPoint whether to store it regardless of the limit per quota
   * @returns when that window first refused, if this refusal is to be added; null if it is not
   */
  note(quotaId: string, now: number, resetAt: number, isTurningPoint: boolean): number | null {
    const minute = now - (now % MINUTE_MS);
    let recent = this.#recent.get(quotaId);
    if (recent === undefined) this.#recent.set(quotaId, (recent = { minute, kept: 0, resetAt, since: now }));
    if (recent.minute !== minute) Object.assign(recent, { minute, kept: 0 });
    if (recent.resetAt !== resetAt) Object.assign(recent, { resetAt, since: now });
    if (recent.kept >= MAX_PER_QUOTA && !isTurningPoint) return this.#leaveOut('repeated');
    if (!this.#hasRoom(minute)) return this.#leaveOut('dropped');
    recent.kept += 1;
    this.#kept += 1;
    return recent.since;
  }

  add(record: RefusalRecord): void {
    this.#pending.push(record);
    this.#flushLater();
  }

  /** Sends pending refusals. On failure, they are sent again later. Never rejects. */
  flush(): Promise<void> {
    this.#flushed ??= this.#send().finally(() => {
      this.#flushed = null;
    });
    return this.#flushed;
  }

  /** Sends pending refusals for the last time. @param limitMs after which the rest is dropped */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    await waitAtMost(limitMs, this.#sendLast());
    this.#stopTimer();
    this.leftOut.dropped += this.#pending.length;
    this.#pending = [];
  }

  /** A flush that was running has its own result; its rest is tried once more. */
  async #sendLast(): Promise<void> {
    await this.#flushed;
    await this.flush();
  }

  async #send(): Promise<void> {
    this.#stopTimer();
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, MAX_BATCH);
      try {
        await this.#store.keepRefusals(batch);
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          this.#flushLater();
          return;
        }
        this.leftOut.dropped += batch.length;
        this.#onError(error);
      }
      this.#pending.splice(0, batch.length);
    }
  }

  #hasRoom(minute: number): boolean {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#kept = 0;
    }
    return this.#kept < MAX_PER_MINUTE && this.#pending.length < MAX_PENDING && !this.#closed;
  }

  #leaveOut(why: 'repeated' | 'dropped'): null {
    this.leftOut[why] += 1;
    return null;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
