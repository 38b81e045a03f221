import type { WindowName } from '../../../domain/quota-limits.ts';
import { DAY_MS, MINUTE_MS } from '../../../base/time.ts';
import { pluralize } from '../../../base/text.ts';
import type { BanView } from '../../../data-plane/boundary-types.ts';
import type { BanEnd, ReadFacts, RefusalFacts } from './refusal-facts.ts';
import { type ExplanationInput, findFullWindows } from './refusal-reasons.ts';

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
const QUOTA_CODES: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'quota_exceeded', 'key_banned']);

/** Lists events in chronological order. Only stored data is used, so events that are not known are left out. */
export function createTimeline(input: ExplanationInput): readonly TimelineStep[] {
  const { facts } = input;
  const steps = QUOTA_CODES.has(facts.code) ? [...createWindowSteps(input), ...createStrikeAndBanSteps(input)] : [];
  return [...steps, createRefusedStep(input), ...createFreeSteps(input)].toSorted(
    (a, b) => a.at - b.at || EVENTS.indexOf(a.event) - EVENTS.indexOf(b.event),
  );
}

const WINDOW_LABELS: Readonly<Record<WindowName, string>> = { minute: 'per-minute', day: 'daily', month: 'monthly' };

function listFullWindows({ quota, cost }: RefusalFacts) {
  return quota === null ? [] : findFullWindows(quota, cost);
}

/** Finds the later refusal that started a ban. */
function findBanStart(later: ExplanationInput['later']) {
  return later.find((each) => each.facts.admission?.banStarted === true);
}

function createWindowSteps({ facts, at }: ExplanationInput): TimelineStep[] {
  const openedSteps = listFullWindows(facts).map(({ name, view }): TimelineStep => {
    const startsAt = name === 'month' ? facts.quota?.month?.startsAt : undefined;
    const lengthMs = name === 'minute' ? MINUTE_MS : DAY_MS;
    return {
      at: startsAt ?? view.resetAt - lengthMs,
      event: 'window_opened',
      text: `The ${WINDOW_LABELS[name]} window opened.`,
    };
  });
  const { admission, code } = facts;
  // During a ban, no window refuses requests, so `refusingSince` does not say when a limit was reached.
  if (admission === null || code === 'key_banned' || admission.refusingSince >= at) return openedSteps;
  const text = 'First known refusal at this limit.';
  return [...openedSteps, { at: admission.refusingSince, event: 'first_refusal', text }];
}

function createRefusedStep({ facts, at }: ExplanationInput): TimelineStep {
  const { status, code, admission } = facts;
  // During a ban, requests are refused even if units are left.
  const isAtLimit = QUOTA_CODES.has(code) && code !== 'key_banned';
  const fullWindow = isAtLimit ? listFullWindows(facts).at(-1) : undefined;
  const usedText =
    fullWindow === undefined ? '' : `: ${fullWindow.view.used} of ${pluralize(fullWindow.view.limit, 'unit')} used`;
  const strikesText =
    admission === null || admission.strikes === 0
      ? ''
      : `; ${admission.strikes} of ${pluralize(admission.strikesForBan, 'strike')}`;
  return { at, event: 'refused', text: `This request was refused with ${status} ${code}${usedText}${strikesText}.` };
}

function createStrikeAndBanSteps({ facts, at, now, later, subject }: ExplanationInput): TimelineStep[] {
  const startingRefusal = findBanStart(later);
  const { ban, banEnd } = findBan(facts) ?? (startingRefusal && findBan(startingRefusal.facts)) ?? NO_BAN;
  const steps: TimelineStep[] = [];
  const earlierRefusals = later.filter((each) => startingRefusal === undefined || each.at <= startingRefusal.at);
  const maxStrikes = Math.max(0, ...earlierRefusals.map((each) => each.facts.admission?.strikes ?? 0));
  if (maxStrikes > (facts.admission?.strikes ?? 0)) {
    const first = earlierRefusals.find((each) => each.facts.admission?.strikes === maxStrikes);
    const text = `The client kept calling: ${maxStrikes} of ${pluralize(first?.facts.admission?.strikesForBan ?? maxStrikes, 'strike')}.`;
    steps.push({ at: first?.at ?? at, event: 'strikes', text });
  }
  if (ban === null) return steps;
  const text = ban.manual ? `An operator banned the ${subject}.` : 'An automatic ban started.';
  return [...steps, { at: ban.from, event: 'ban_started', text }, createEndStep(ban, banEnd, now)];
}

const NO_BAN = { ban: null, banEnd: null };

function findBan({ quota, banEnd }: ReadFacts) {
  return quota === null || quota.ban === null ? undefined : { ban: quota.ban, banEnd };
}

function createEndStep(ban: BanView, banEnd: BanEnd | null, now: number): TimelineStep {
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
function createFreeSteps({ facts, now, later }: ExplanationInput): TimelineStep[] {
  const startingRefusal = findBanStart(later);
  const at = startingRefusal === undefined ? facts.freeAt : startingRefusal.facts.freeAt;
  if (at === null) return [];
  return [{ at, event: 'free', text: now < at ? 'Calls are possible again.' : 'Calls were possible again.' }];
}
