import { MINUTE_MS } from '../../../base/time.ts';
import type { Explained } from './explanation.ts';
import { timeNear } from './times-and-counts.ts';

/** Counts are written every 10 s: younger ones are not all there. */
const WRITTEN_AFTER_MS = 15_000;

/**
 * What the key did in the minute of the refusal and after it; null as long as that is not known. It is the minute of the
 * clock, since requests are counted by those, and not the window of the quota.
 */
export function behaviour({ at, now, until, minutes }: Explained): string | null {
  const minute = at - (at % MINUTE_MS);
  const nextMinute = minute + MINUTE_MS;
  if (now < nextMinute + WRITTEN_AFTER_MS) return null;
  const during = sum(minutes.filter((each) => each.at < nextMinute));
  const end = until - (until % MINUTE_MS) + MINUTE_MS;
  const after = sum(minutes.filter((each) => each.at >= nextMinute));
  const to = now < end ? 'until now' : `to ${timeNear(end, at)}`;
  const next = timeNear(nextMinute, at);
  return `From ${timeNear(minute, at)} to ${next} the key made ${requests(during)}. From ${next} ${to} it made ${requests(after)}.`;
}

/** How much nearer the key came to a ban after the refusal; null if it did not, or nothing is known of it. */
export function nextStrikes({ facts, at, later }: Explained): string | null {
  const decisions = later.map((each) => ({ strikes: 0, banStarted: false, ...each.facts.admission, at: each.at }));
  const start = decisions.find(({ banStarted }) => banStarted);
  if (start !== undefined) {
    return `The client went on: strike ${start.strikes} at ${timeNear(start.at, at)} started a ban.`;
  }
  const strikes = Math.max(0, ...decisions.map((decision) => decision.strikes));
  if (strikes <= (facts.admission?.strikes ?? 0)) return null;
  return `The client went on, and came to ${strikes} strikes or more.`;
}

interface Counts {
  readonly requests: number;
  readonly refused: number;
}

function sum(minutes: readonly Counts[]): Counts {
  let [all, refused] = [0, 0];
  for (const each of minutes) {
    all += each.requests;
    refused += each.refused;
  }
  return { requests: all, refused };
}

function requests({ requests: all, refused }: Counts): string {
  if (all === 0) return 'none';
  if (all === 1) return `1 request, which was ${refused === 1 ? '' : 'not '}refused`;
  const part = refused === 0 ? 'none' : refused === all ? 'all' : `${refused} of them`;
  return `${all} requests, ${part} refused`;
}
