import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../base/time.ts';
import type { NewEvent } from '../events/event.ts';
import type { Events } from '../events/events.ts';

/** Per transaction. */
const BATCH = 500;
/**
 * Remembered, so that published notices are not written again every hour. Forgetting is harmless: the outbox detects
 * repeats.
 */
const MAX_REMEMBERED = 20_000;

/** An event that is published once, by the first gateway. */
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
    const left = notices.filter(({ uniqueKey }) => !this.#published.has(uniqueKey));
    while (left.length > 0) {
      const batch = left.splice(0, BATCH);
      await this.#events.publish(batch);
      for (const { uniqueKey } of batch) this.#published.set(uniqueKey, true);
      await setImmediate();
    }
  }
}

/**
 * Of the notices for a moment, the most recent one that is due: a gateway that was off on the day publishes it late,
 * and leaves out earlier ones.
 *
 * @returns days; null if none is due, or the moment has passed
 */
export function dueNotice(days: readonly number[], moment: number, now: number): number | null {
  if (moment <= now) return null;
  const due = days.filter((each) => moment - now <= each * DAY_MS);
  return due.length === 0 ? null : Math.min(...due);
}

/** Rounded up. */
export function daysUntil(moment: number, now: number): number {
  return Math.ceil((moment - now) / DAY_MS);
}
