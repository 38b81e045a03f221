import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../base/time.ts';
import type { NewEvent } from '../events/event.ts';
import type { Events } from '../events/events.ts';

/** Notices per transaction. */
const BATCH_SIZE = 500;
/**
 * Maximum number of published notices that are remembered, so that they are not written again every hour. Forgetting a
 * notice is harmless, because the outbox detects repeats.
 */
const MAX_REMEMBERED = 20_000;

/** An event that is published only once, by the first gateway that notices it. */
export interface Notice extends NewEvent {
  readonly uniqueKey: string;
}

/** Publishes due notices. */
export class Notices {
  readonly #events: Pick<Events, 'publish'>;
  readonly #published = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(events: Pick<Events, 'publish'>) {
    this.#events = events;
  }

  async publish(notices: readonly Notice[]): Promise<void> {
    const pending = notices.filter(({ uniqueKey }) => !this.#published.has(uniqueKey));
    while (pending.length > 0) {
      const batch = pending.splice(0, BATCH_SIZE);
      await this.#events.publish(batch);
      for (const { uniqueKey } of batch) this.#published.set(uniqueKey, true);
      await setImmediate();
    }
  }
}

/**
 * Finds the most recent notice that is due for a moment. A gateway that was off on the day publishes the notice late,
 * and leaves out earlier notices.
 *
 * @returns the days before the moment; null if no notice is due, or if the moment has passed
 */
export function findDueNotice(days: readonly number[], moment: number, now: number): number | null {
  if (moment <= now) return null;
  const dueDays = days.filter((each) => moment - now <= each * DAY_MS);
  return dueDays.length === 0 ? null : Math.min(...dueDays);
}

/** The number of days until a moment, rounded up. */
export function countDaysUntil(moment: number, now: number): number {
  return Math.ceil((moment - now) / DAY_MS);
}
