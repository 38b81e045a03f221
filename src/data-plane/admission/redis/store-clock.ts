import type { Millis } from '../../../base/time.ts';

/** Allows for rounding, and for clocks that run at slightly different speeds. */
const MARGIN_MS = 2;

/**
 * An estimate of a store's clock, from its replies, because the gateway's own clock may be wrong by an hour. Local times
 * are from `performance.now()`, because nobody can set that clock.
 *
 * Calls that are queued while Redis is stalled need a deadline by this clock. Otherwise they would still charge keys
 * after their requests have got their response.
 */
export class StoreClock {
  /** When the last reply arrived, in local time. */
  repliedAt = -Infinity;
  /**
   * Store time minus local time, in ms. It is never overestimated, because replies are assumed to arrive in no time.
   */
  #offsetMs: number | undefined;

  get isKnown(): boolean {
    return this.#offsetMs !== undefined;
  }

  /** Adjusts the estimate to a reply. @param storeTime when the command ran @param sentAt local time of the command */
  learn(storeTime: Millis, sentAt: number, repliedAt: number): void {
    this.repliedAt = repliedAt;
    const minOffsetMs = storeTime - repliedAt;
    const maxOffsetMs = storeTime + 1 - sentAt;
    // The offset is out of bounds if the store's clock was set, or a different server has replied.
    if (this.#offsetMs === undefined || minOffsetMs > this.#offsetMs || this.#offsetMs > maxOffsetMs)
      this.#offsetMs = minOffsetMs;
  }

  /** Finds the latest store time that has certainly passed at a local time; -1 if nothing is known yet. */
  findPassedTime(localTime: number): Millis {
    return this.#offsetMs === undefined ? -1 : Math.floor(localTime + this.#offsetMs) - MARGIN_MS;
  }

  /** Estimates the store time; undefined if nothing is known yet. */
  now(): Millis | undefined {
    return this.#offsetMs === undefined ? undefined : Math.floor(performance.now() + this.#offsetMs);
  }
}
