import type { Event } from '../../api/events/events.ts';

/** An event, together with adjacent events that it includes. */
export interface EventRun {
  readonly event: Event;
  /** An event for 80% of the same limit came just before. */
  readonly isWarned: boolean;
  /** The number of further equal events next to it. */
  readonly alike: number;
}

/** Events that are further apart belong to two windows. */
const SAME_WINDOW_MS = 86_400_000;

/**
 * Folds events that an adjacent one includes: the warning at 80% before the end of a limit, and repetitions of the same
 * limit.
 */
export function foldEvents(events: readonly Event[]): readonly EventRun[] {
  const runs: EventRun[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last === undefined || !isSameQuota(last.event, event)) runs.push({ event, isWarned: false, alike: 0 });
    else runs[runs.length - 1] = joined(last, event);
  }
  return runs;
}

function joined({ event, isWarned, alike }: EventRun, next: Event): EventRun {
  const [level, nextLevel] = [event.data['level'], next.data['level']];
  // In ascending order, the warning comes first.
  if (nextLevel === 100 && level === 80) return { event: next, isWarned: true, alike };
  if (nextLevel === 80 && level === 100) return { event, isWarned: true, alike };
  return { event, isWarned, alike: alike + 1 };
}

function isSameQuota(one: Event, other: Event): boolean {
  const isQuota = one.type === 'quota.threshold' && other.type === 'quota.threshold' && one.source === other.source;
  const isSame = one.data['keyId'] === other.data['keyId'] && one.data['window'] === other.data['window'];
  return isQuota && isSame && Math.abs(Date.parse(one.at) - Date.parse(other.at)) < SAME_WINDOW_MS;
}
