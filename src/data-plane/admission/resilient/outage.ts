/** Outages shorter than this, in ms, are not reported. */
const MIN_OUTAGE_MS = 1000;
/**
 * An outage is over once it has had no cause for this long, in ms, so that an unstable connection counts as one outage.
 */
const RECOVERED_AFTER_MS = 5000;

/** Notified when an outage begins and ends. All times are durations in ms. */
export interface OutageListener {
  /** @param agoMs how long ago it began */
  readonly onDegraded: (reason: string, agoMs: number) => void;
  /** @param agoMs how long ago it ended */
  readonly onRecovered: (degradedForMs: number, agoMs: number) => void;
}

/** Tracks whether the shared store is unavailable. In a cluster, a single unavailable server is already an outage. */
export class Outage {
  readonly #listener: OutageListener;
  readonly #causes = new Set<string>();
  #state: 'none' | 'suspected' | 'reported' = 'none';
  #reason = '';
  /** In ms by `performance.now()`. */
  #beganAt = 0;
  #endedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(listener: OutageListener) {
    this.#listener = listener;
  }

  /** @param cause name of the cause; pass the same name to `end` */
  begin(cause: string, reason: string): void {
    if (this.#causes.has(cause)) return;
    this.#causes.add(cause);
    if (this.#causes.size > 1) return;
    clearTimeout(this.#timer);
    if (this.#state === 'reported') return;
    this.#state = 'suspected';
    this.#reason = reason;
    this.#beganAt = performance.now();
    this.#timer = setTimeout(() => this.#report(), MIN_OUTAGE_MS).unref();
  }

  end(cause: string): void {
    if (!this.#causes.delete(cause) || this.#causes.size > 0) return;
    clearTimeout(this.#timer);
    this.#endedAt = performance.now();
    if (this.#state === 'reported') this.#timer = setTimeout(() => this.#reportEnd(), RECOVERED_AFTER_MS).unref();
    else this.#state = 'none';
  }

  /** Reports the end of the last outage now, if it was not reported yet. */
  close(): void {
    clearTimeout(this.#timer);
    if (this.#state === 'reported' && this.#causes.size === 0) this.#reportEnd();
  }

  #report(): void {
    this.#state = 'reported';
    this.#listener.onDegraded(this.#reason, performance.now() - this.#beganAt);
  }

  #reportEnd(): void {
    this.#state = 'none';
    this.#listener.onRecovered(this.#endedAt - this.#beganAt, performance.now() - this.#endedAt);
  }
}
