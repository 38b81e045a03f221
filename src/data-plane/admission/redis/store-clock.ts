import type { Millis } from '../../../base/time.ts';

/** Allows for rounding, and for clocks that run at slightly different speeds. */
const MARGIN_MS = 2;

/**
 * A store's clock, estimated from its answers, because the gateway's own clock may be wrong by an hour. Local times are
 * those of `performance.now()`, because nobody can set that clock.
 *
 * This class is worth its complexity: without deadlines by this clock, calls that queued while Redis was stalled would
 * still charge keys after their requests were answered.
 */
export class StoreClock {
  /** When the store last answered, in local time. */
  answeredAt = -Infinity;
  /**
   * Store time minus local time, in ms. It is never overestimated, because the answer is assumed to have taken no time
   * on its way back.
   */
  #offsetMs: number | undefined;

  get isKnown(): boolean {
    return this.#offsetMs !== undefined;
  }

  /** Learns from a command that was sent and answered at these local times and executed at `storeTime`. */
  learn(storeTime: Millis, sentAt: number, answeredAt: number): void {
    this.answeredAt = answeredAt;
    const leastOffsetMs = storeTime - answeredAt;
    const mostOffsetMs = storeTime + 1 - sentAt;
    // The known offset may be wrong now, because the store's clock was set or a different server answers.
    if (this.#offsetMs === undefined || leastOffsetMs > this.#offsetMs || this.#offsetMs > mostOffsetMs)
      this.#offsetMs = leastOffsetMs;
  }

  /** The latest store time that has certainly passed at local time `localTime`. -1 if nothing is known yet. */
  certainlyPast(localTime: number): Millis {
    return this.#offsetMs === undefined ? -1 : Math.floor(localTime + this.#offsetMs) - MARGIN_MS;
  }

  /** Approximate store time now; undefined if nothing is known yet. */
  now(): Millis | undefined {
    return this.#offsetMs === undefined ? undefined : Math.floor(performance.now() + this.#offsetMs);
  }
}
