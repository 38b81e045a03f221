import { MINUTE_MS } from '../../../base/time.ts';
import { waitAtMost } from '../../../base/awaitable.ts';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../../base/error-types.ts';
import type { HistoryStore, RefusalRecord, RepeatedRefusal } from '../store/history-store.ts';

const FLUSH_EVERY_MS = 1000;
/**
 * Maximum number of refusals that are stored per key, reason and minute. A client in a loop is refused for the same
 * reason each time, so for further refusals, only the id is stored, with a reference to a stored refusal. The second
 * maximum limits these ids.
 */
const MAX_PER_REASON = 5;
const MAX_REPEATED_PER_REASON = 1000;
/** Maximum numbers of refusals and ids that this gateway stores per minute. The database keeps them for two days. */
const MAX_PER_MINUTE = 1000;
const MAX_REPEATED_PER_MINUTE = 5000;
/** Maximum number of remembered quotas, and of remembered combinations of key and reason. */
const MAX_QUOTAS = 10_000;
const MAX_REASONS = 20_000;
/** Maximum number of refusals (about 1 KB each) and of ids (about 200 bytes each) that wait for the database. */
const MAX_PENDING = 5000;
const MAX_PENDING_REPEATED = 10_000;
/** Maximum numbers of refusals and ids that are sent to the database together. */
const MAX_BATCH = 500;
const MAX_REPEATED_BATCH = 2000;

/** A refusal of a known key. */
interface NotedRefusal {
  readonly requestId: string;
  readonly quotaId: string;
  readonly keyId: string;
  /** The error code of the response. */
  readonly code: string;
  /** Ms since the Unix epoch. */
  readonly at: number;
  /** When the window that refused the request resets; 0 if no window refused it. */
  readonly resetAt: number;
  /** Whether to store the refusal even if the key already has `MAX_PER_REASON` refusals. */
  readonly isTurningPoint: boolean;
}

/** The last full window of a quota. */
interface FullWindow {
  resetAt: number;
  /** Time of the first refusal in this window, in ms since the Unix epoch. */
  since: number;
}

/** The refusals of one key for one reason, in the current minute. */
interface RecentRefusals {
  /** Start of the minute. */
  minute: number;
  kept: number;
  repeated: number;
  /** The last refusal that was kept; null: none in this minute. */
  stored: { readonly requestId: string; readonly at: number } | null;
}

interface RefusalCollectorOptions {
  readonly store: Pick<HistoryStore, 'keepRefusals'>;
  /** Called with errors other than `StoreUnavailable`. The refusals that could not be stored are dropped. */
  readonly onError: (error: unknown) => void;
}

/**
 * Collects the facts behind refusals, so that they can be explained later, and sends them about once a second. The
 * number of refusals is limited per key, reason and minute, and so is the number that waits while the database is
 * unavailable. Beyond these limits, only the id of a refusal is stored, with a reference to a stored refusal that
 * explains it. The reference is necessary, because an id says nothing about its request: callers may choose ids, and
 * other ids are assigned before anything is known about a request.
 */
export class RefusalCollector {
  /**
   * Numbers of refusals that were not stored. `repeated`: the key already had the maximum for that reason and minute.
   * `dropped`: there were too many refusals in that minute, too many were waiting, or storing them failed.
   */
  readonly leftOut = { repeated: 0, dropped: 0 };
  readonly #store: RefusalCollectorOptions['store'];
  readonly #onError: (error: unknown) => void;
  readonly #windows = new LRUCache<string, FullWindow>({ max: MAX_QUOTAS });
  /** Recent refusals by key and reason. */
  readonly #recent = new LRUCache<string, RecentRefusals>({ max: MAX_REASONS });
  /** Start of the current minute, and how many refusals and ids were kept in it. */
  #minute = 0;
  #keptCount = 0;
  #repeatedCount = 0;
  #pending: RefusalRecord[] = [];
  #pendingRepeated: RepeatedRefusal[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #closed = false;

  constructor({ store, onError }: RefusalCollectorOptions) {
    this.#store = store;
    this.#onError = onError;
  }

  /**
   * Notes a refusal. Call this for every refusal, because the first refusal of a full window is remembered even if it
   * is not stored.
   *
   * @returns the time of the window's first refusal if the caller should store this one; otherwise null
   */
  note(refusal: NotedRefusal): number | null {
    const { requestId, at, isTurningPoint } = refusal;
    const since = this.#findRefusingSince(refusal);
    const recent = this.#getRecent(refusal);
    const isRepeated = recent.kept >= MAX_PER_REASON && !isTurningPoint;
    if (isRepeated || !this.#hasRoom()) {
      this.leftOut[isRepeated ? 'repeated' : 'dropped'] += 1;
      this.#addRepeated(refusal, recent);
      return null;
    }
    recent.kept += 1;
    recent.stored = { requestId, at };
    this.#keptCount += 1;
    return since;
  }

  add(record: RefusalRecord): void {
    this.#pending.push(record);
    this.#flushLater();
  }

  /** Sends pending refusals. On failure, they are sent again later. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#send().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /**
   * Makes a last attempt to send the pending refusals.
   *
   * @param limitMs time limit, after which the remaining refusals are dropped
   */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    await waitAtMost(limitMs, this.#sendLast());
    this.#stopTimer();
    this.leftOut.dropped += this.#pending.length;
    this.#pending = [];
    this.#pendingRepeated = [];
  }

  /** Waits for a flush that is already running, and then sends the remaining refusals. */
  async #sendLast(): Promise<void> {
    await this.#flushing;
    await this.flush();
  }

  async #send(): Promise<void> {
    this.#stopTimer();
    while (this.#pending.length > 0 || this.#pendingRepeated.length > 0) {
      const batch = this.#pending.slice(0, MAX_BATCH);
      const repeated = this.#pendingRepeated.slice(0, MAX_REPEATED_BATCH);
      try {
        await this.#store.keepRefusals(batch, repeated);
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          this.#flushLater();
          return;
        }
        this.leftOut.dropped += batch.length;
        this.#onError(error);
      }
      this.#pending.splice(0, batch.length);
      this.#pendingRepeated.splice(0, repeated.length);
    }
  }

  #findRefusingSince({ quotaId, at, resetAt }: NotedRefusal): number {
    const window = this.#windows.get(quotaId);
    if (window !== undefined && window.resetAt === resetAt) return window.since;
    this.#windows.set(quotaId, { resetAt, since: at });
    return at;
  }

  #getRecent({ keyId, code, at }: NotedRefusal): RecentRefusals {
    const minute = at - (at % MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#keptCount = 0;
      this.#repeatedCount = 0;
    }
    const recentKey = `${keyId} ${code}`;
    let recent = this.#recent.get(recentKey);
    if (recent === undefined || recent.minute !== minute) {
      recent = { minute, kept: 0, repeated: 0, stored: null };
      this.#recent.set(recentKey, recent);
    }
    return recent;
  }

  #hasRoom(): boolean {
    return this.#keptCount < MAX_PER_MINUTE && this.#pending.length < MAX_PENDING && !this.#closed;
  }

  /** Keeps the id of a refusal that is not stored, unless there are too many ids, or no stored refusal to refer to. */
  #addRepeated({ requestId, keyId }: NotedRefusal, recent: RecentRefusals): void {
    const { stored } = recent;
    // If the client sent the same id again, the stored refusal can already be found by that id.
    if (stored === null || stored.requestId === requestId || this.#closed) return;
    if (recent.repeated >= MAX_REPEATED_PER_REASON || this.#repeatedCount >= MAX_REPEATED_PER_MINUTE) return;
    if (this.#pendingRepeated.length >= MAX_PENDING_REPEATED) return;
    recent.repeated += 1;
    this.#repeatedCount += 1;
    this.#pendingRepeated.push({ requestId, keyId, storedId: stored.requestId, at: stored.at });
    this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
