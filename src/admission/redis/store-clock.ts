import type { Millis } from '../quota.ts';

/** Beside what rounding costs, for clocks that do not run equally fast. */
const MARGIN_MS = 2;

/**
 * What a store's clock says, told by what it answered: the gateway's own clock may be wrong by an hour. Local times
 * are those of `performance.now()`, which nobody sets.
 */
export class StoreClock {
  /** When the store last answered, in local time. */
  answeredAt = -Infinity;
  /** At most what the store's time is ahead of the local one: an answer took some of the time since it was sent. */
  #offset: number | undefined;

  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /** Takes in that a command, sent and answered at these local times, was done at `storeTime`. */
  learn(storeTime: Millis, sentAt: number, answeredAt: number): void {
    this.answeredAt = answeredAt;
    const least = storeTime - answeredAt;
    const most = storeTime + 1 - sentAt;
    // The bound that is known may have become wrong: either clock was set, or another server answers now.
    if (this.#offset === undefined || least > this.#offset || this.#offset > most) this.#offset = least;
  }

  /** A store time that has passed there when it is `local` here, for certain. -1 where nothing is known yet. */
  certainlyPast(local: number): Millis {
    return this.#offset === undefined ? -1 : Math.floor(local + this.#offset) - MARGIN_MS;
  }

  /** About what the store's clock says now; undefined where nothing is known yet. */
  now(): Millis | undefined {
    return this.#offset === undefined ? undefined : Math.floor(performance.now() + this.#offset);
  }
}
