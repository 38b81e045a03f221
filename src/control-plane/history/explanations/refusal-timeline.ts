import type { WindowName } from '../../../domain/quota-limits.ts';
import { DAY_MS, MINUTE_MS } from '../../../base/time.ts';
import type { BanView } from '../../../data-plane/boundary-types.ts';
import type { BanEnd, ReadFacts, RefusalFacts } from './refusal-facts.ts';
import { type Explained, fullWindows, pluralize } from './refusal-reasons.ts';

/**
 * Events that lead to a refusal or follow it. Events at the same time are sorted in this order, because each may be the
 * cause of a later one.
 */
const EVENTS = ['window_opened', 'first_refusal', 'refused', 'strikes', 'ban_started', 'ban_ends', 'free'] as const;

export interface TimelineStep {
  /** ms since the Unix epoch. */
  readonly at: number;
  readonly event: (typeof EVENTS)[number];
  readonly text: string;
}

/** The codes of refusals by a limit or a ban. */
const OF_QUOTA: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'quota_exceeded', 'key_banned']);

/** Lists events in chronological order. Only stored data is used, so events that are not known are left out. */
export function createTimeline(explained: Explained): readonly TimelineStep[] {
  const { facts } = explained;
  const steps = OF_QUOTA.has(facts.code) ? [...windows(explained), ...strikesAndBan(explained)] : [];
  return [...steps, refused(explained), ...free(explained)].toSorted(
    (a, b) => a.at - b.at || EVENTS.indexOf(a.event) - EVENTS.indexOf(b.event),
  );
}

const NAMES: Readonly<Record<WindowName, string>> = { minute: 'per-minute', day: 'daily', month: 'monthly' };

function listFullWindows({ quota, cost }: RefusalFacts) {
  return quota === null ? [] : fullWindows(quota, cost);
}

/** Finds the later refusal that started a ban. */
function banStart(later: Explained['later']) {
  return later.find((each) => each.facts.admission?.banStarted === true);
}

function windows({ facts, at }: Explained): TimelineStep[] {
  const opened = listFullWindows(facts).map(({ name, view }): TimelineStep => {
    const startsAt = name === 'month' ? facts.quota?.month?.startsAt : undefined;
    const lengthMs = name === 'minute' ? MINUTE_MS : DAY_MS;
    return {
      at: startsAt ?? view.resetAt - lengthMs,
      event: 'window_opened',
      text: `The ${NAMES[name]} window opened.`,
    };
  });
  const { admission, code } = facts;
  // During a ban, no window refuses requests, so `refusingSince` does not say when a limit was reached.
  if (admission === null || code === 'key_banned' || admission.refusingSince >= at) return opened;
  const text = 'First known refusal while the limit was reached.';
  return [...opened, { at: admission.refusingSince, event: 'first_refusal', text }];
}

function refused({ facts, at }: Explained): TimelineStep {
  const { status, code, admission } = facts;
  const full = OF_QUOTA.has(code) ? listFullWindows(facts).at(-1) : undefined;
  const used = full === undefined ? '' : `: ${full.view.used} of ${pluralize(full.view.limit, 'unit')} used`;
  const counted =
    admission === null || admission.strikes === 0
      ? ''
      : `; ${admission.strikes} of ${pluralize(admission.strikesForBan, 'strike')}`;
  return { at, event: 'refused', text: `This request was refused with ${status} ${code}${used}${counted}.` };
}

function strikesAndBan({ facts, at, now, later }: Explained): TimelineStep[] {
  const starting = banStart(later);
  const { ban, banEnd } = banIn(facts) ?? (starting && banIn(starting.facts)) ?? NO_BAN;
  const steps: TimelineStep[] = [];
  const before = later.filter((each) => starting === undefined || each.at <= starting.at);
  const most = Math.max(0, ...before.map((each) => each.facts.admission?.strikes ?? 0));
  if (most > (facts.admission?.strikes ?? 0)) {
    const first = before.find((each) => each.facts.admission?.strikes === most);
    const text = `The client kept calling: ${most} of ${pluralize(first?.facts.admission?.strikesForBan ?? most, 'strike')}.`;
    steps.push({ at: first?.at ?? at, event: 'strikes', text });
  }
  if (ban === null) return steps;
  const text = ban.manual ? 'An operator banned the key.' : 'An automatic ban started.';
  return [...steps, { at: ban.from, event: 'ban_started', text }, describeEnd(ban, banEnd, now)];
}

const NO_BAN = { ban: null, banEnd: null };

function banIn({ quota, banEnd }: ReadFacts) {
  return quota === null || quota.ban === null ? undefined : { ban: quota.ban, banEnd };
}

function describeEnd(ban: BanView, banEnd: BanEnd | null, now: number): TimelineStep {
  const event = 'ban_ends';
  if (banEnd === null) {
    const text = now < ban.until ? 'The ban ends, unless it is lifted earlier.' : 'The ban ended.';
    return { at: ban.until, event, text };
  }
  return {
    at: banEnd.at,
    event,
    text: banEnd.kind === 'lifted' ? 'An operator lifted the ban.' : 'Another ban replaced it.',
  };
}

/**
 * Returns the step at which calls are possible again. If a ban started after the refusal, this is the end of that ban.
 */
function free({ facts, now, later }: Explained): TimelineStep[] {
  const starting = banStart(later);
  const at = starting === undefined ? facts.freeAt : starting.facts.freeAt;
  if (at === null) return [];
  return [{ at, event: 'free', text: now < at ? 'Calls are possible again.' : 'Calls were possible again.' }];
}
