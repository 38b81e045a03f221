import type { Event } from '../../api/events/events.ts';

/** An event, together with adjacent events that are folded into its row. */
export interface EventRun {
  readonly event: Event;
  /** True if an event for 80% of the same limit came just before. */
  readonly isWarned: boolean;
  /** The number of further equal events. */
  readonly alike: number;
}

/** Events that are further apart belong to different windows of the quota. */
const SAME_WINDOW_MS = 86_400_000;

/** Folds adjacent events of the same quota: the warning at 80% into the event for 100%, and repetitions into one. */
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
  // In ascending order, the warning comes before the event for 100%.
  if (nextLevel === 100 && level === 80) return { event: next, isWarned: true, alike };
  if (nextLevel === 80 && level === 100) return { event, isWarned: true, alike };
  return { event, isWarned, alike: alike + 1 };
}

function isSameQuota(one: Event, other: Event): boolean {
  const isQuota = one.type === 'quota.threshold' && other.type === 'quota.threshold' && one.source === other.source;
  const isSame = one.data['keyId'] === other.data['keyId'] && one.data['window'] === other.data['window'];
  return isQuota && isSame && Math.abs(Date.parse(one.at) - Date.parse(other.at)) < SAME_WINDOW_MS;
}
