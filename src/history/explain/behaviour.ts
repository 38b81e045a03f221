import type { Explained } from './explanation.ts';

const MINUTE_MS = 60_000;
/** How far the story goes on after a refusal. */
const AFTER_MINUTES = 10;
/** Counts are written every 10 s: younger ones are not all there. */
const WRITTEN_AFTER_MS = 15_000;

/** What the key did in the minute of the refusal and after it; null as long as that is not known. */
export function behaviour({ at, now, minutes }: Explained): string | null {
  const minute = at - (at % MINUTE_MS);
  const nextMinute = minute + MINUTE_MS;
  if (now < nextMinute + WRITTEN_AFTER_MS) return null;
  const during = sum(minutes.filter((each) => each.at === minute));
  const end = nextMinute + AFTER_MINUTES * MINUTE_MS;
  const after = sum(minutes.filter((each) => each.at >= nextMinute && each.at < end));
  const period = now < end ? 'Since then' : `In the ${AFTER_MINUTES} minutes after`;
  return `In that minute the key made ${requests(during)}. ${period} it made ${requests(after)}.`;
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
