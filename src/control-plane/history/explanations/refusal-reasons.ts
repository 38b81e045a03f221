import { errors, type CallErrorCode } from '../../../domain/error-codes.ts';
import { DAY_MS, MINUTE_MS, HOUR_MS, SECOND_MS } from '../../../base/time.ts';
import { pluralize } from '../../../base/text.ts';
import type { MoreFacts, ReadFacts, RefusalFacts, AdmissionFacts, QuotaFacts } from './refusal-facts.ts';
import type { FoundRefusal } from '../store/history-store.ts';
import { type ByWindow, type WindowName, listWindows } from '../../../domain/quota-limits.ts';
import type { BanView, WindowView } from '../../../data-plane/boundary-types.ts';

/** The reader of an explanation. Operators may see and do more than consumers. */
export type Reader = 'operator' | 'consumer';

/** Input for the sentences about a refusal. Times are ms since the Unix epoch. */
export interface ExplanationInput {
  readonly facts: ReadFacts;
  /** The name of the key's plan at that time, or the id of the plan if the name is not known. */
  readonly planName: string;
  /** Null: the name is not known. */
  readonly keyName: string | null;
  /** The word for whoever called: a key, or a caller with access tokens. */
  readonly subject: 'key' | 'caller';
  readonly at: number;
  /** The time of the explanation. It decides between "was" and "is". */
  readonly now: number;
  readonly reader: Reader;
  /** The key's requests by minute, from the minute of the refusal to `until`. */
  readonly minutes: FoundRefusal['minutes'];
  readonly until: number;
  /**
   * The refusals after this one, up to `until`, in chronological order. Some are missing, because not all are stored.
   */
  readonly later: readonly { readonly at: number; readonly facts: ReadFacts }[];
}

/** Writes the sentences that explain why a request was refused, and what to do about it. */
type ExplainReason = (input: ExplanationInput) => readonly (string | null)[];

/** @returns a time such as `2026-11-21 10:00:31 UTC` */
export function formatDateAndTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** @returns a time such as `10:00:31`, with the date if `time` is not on the same day as `near` */
function formatTimeNear(time: number, near: number): string {
  const isSameDay = Math.floor(time / DAY_MS) === Math.floor(near / DAY_MS);
  return isSameDay ? new Date(time).toISOString().slice(11, 19) : formatDateAndTime(time);
}

/** @returns text such as `250 ms`, `32 seconds`, `5 minutes` or `12 hours`, rounded as a person would say it */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < 2 * MINUTE_MS && durationMs % MINUTE_MS !== 0) return formatUnits(durationMs, SECOND_MS, 'second');
  if (durationMs < 2 * HOUR_MS && durationMs % HOUR_MS !== 0) return formatUnits(durationMs, MINUTE_MS, 'minute');
  if (durationMs < 2 * DAY_MS) return formatUnits(durationMs, HOUR_MS, 'hour');
  return formatUnits(durationMs, DAY_MS, 'day');
}

function formatUnits(durationMs: number, unitMs: number, noun: string): string {
  return pluralize(Math.round(durationMs / unitMs), noun);
}

/** The windows without enough units left for a request, shortest first. */
export function findFullWindows(quota: ByWindow<WindowView>, cost: number) {
  return listWindows<WindowView>(quota).filter(({ view }) => view.remaining < cost);
}

/** Counts in requests if a request costs one unit, and otherwise in units. */
export function describeLimit(limit: number, cost: number): string {
  return cost === 1 ? `make at most ${pluralize(limit, 'request')}` : `use at most ${pluralize(limit, 'unit')}`;
}

/** `rate_limit_exceeded` and `quota_exceeded`: explained by the longest window that was full. */
const explainLimit: ExplainReason = (input) => {
  const { facts, at } = input;
  const { quota, admission } = facts;
  if (quota === null || admission === null) return [];
  const [last, ...others] = findFullWindows(quota, facts.cost).toReversed();
  if (last === undefined) return [];
  const { name: window, view } = last;
  const { limit } = view;
  return [
    describeFullWindow(input, window, view),
    others.length === 0
      ? null
      : `The ${others.map(({ name }) => `${WINDOW_LABELS[name]} limit`).join(' and the ')} was reached, too.`,
    admission.refusingSince < at
      ? `Requests had been refused since ${formatTimeNear(admission.refusingSince, at)}.`
      : 'This was the first refused request.',
    describeShare(quota),
    describeFreeTime(input),
    describeBehavior(input),
    describeStrikes(admission, input),
    describeNextStrikes(input),
    `What to do: wait for the time in Retry-After before the next request, and ${describeLimit(limit, facts.cost)} per ${window}. ` +
      'If you need more, use a plan with higher limits.',
  ];
};

/** `key_banned` */
const explainBan: ExplainReason = (input) => {
  const { quota, admission } = input.facts;
  if (quota === null || admission === null || quota.ban === null) return [];
  const { ban } = quota;
  return [
    ...(ban.manual ? describeManualBan(ban, input) : describeAutomaticBan(ban, admission, input)),
    'Requests during a ban do not count against the quota and do not prolong the ban.',
    describeEarlyEnd(input),
    describeLimitAfter(ban, input),
    describeFreeTime(input),
    describeBehavior(input),
    ban.manual ? adviseAfterManualBan(ban, input) : adviseAfterAutomaticBan(ban, input),
  ];
};

/** Whether the ban of a refusal is over, because it ended on time, or was lifted or replaced. */
export function isBanOver(ban: BanView, { facts, now }: Pick<ExplanationInput, 'facts' | 'now'>): boolean {
  return facts.banEnd !== null || now >= ban.until;
}

/** Describes how the ban ended early. Consumers do not see the names of operators. */
function describeEarlyEnd({ facts: { banEnd }, at, reader }: ExplanationInput): string | null {
  if (banEnd === null) return null;
  const time = formatTimeNear(banEnd.at, at);
  if (banEnd.kind === 'replaced') return `Another ban replaced it at ${time}.`;
  return `${reader === 'operator' ? banEnd.actor : 'An operator'} lifted the ban at ${time}.`;
}

function describeLimitAfter(ban: BanView, input: ExplanationInput): string | null {
  const { freeAt, banEnd } = input.facts;
  if (freeAt === null || freeAt <= (banEnd?.at ?? ban.until)) return null;
  return isBanOver(ban, input)
    ? 'One of the limits was still exhausted when the ban ended.'
    : 'One of the limits will still be exhausted when the ban ends.';
}

function adviseAfterAutomaticBan(ban: BanView, input: ExplanationInput): string {
  return (
    'What to do: make the client wait for the time in Retry-After whenever a response has this header: clients that do so are ' +
    `never banned automatically.${isBanOver(ban, input) ? '' : LIFT_HINTS[input.reader]}`
  );
}

function adviseAfterManualBan(ban: BanView, input: ExplanationInput): string {
  if (input.facts.banEnd?.kind === 'replaced') return REPLACED_BAN_ADVICE[input.reader];
  if (isBanOver(ban, input)) return 'What to do: nothing. The ban is over.';
  return input.reader === 'operator'
    ? `What to do: resolve the cause with the owner of the ${input.subject}, then lift the ban.`
    : 'What to do: ask the operators of the API for the reason. They can lift the ban.';
}

const LIFT_HINTS: Readonly<Record<Reader, string>> = {
  operator: ' You can lift the ban.',
  consumer: ' The operators of the API can lift the ban.',
};

const REPLACED_BAN_ADVICE: Readonly<Record<Reader, string>> = {
  operator: 'What to do: see whether the other ban is still active. You can lift it.',
  consumer: 'What to do: see whether the other ban is still active. The operators of the API can lift it.',
};

/** `cost_exceeds_limit` */
const explainCost: ExplainReason = ({ facts: { cost, quota }, planName, reader, subject }) => [
  `The request costs ${pluralize(cost, 'unit')}, and plan ${planName} allows ${quota?.minute.limit ?? 'fewer'} per minute: waiting does ` +
    'not help. The request did not count against the quota.',
  `What to do: ${reader === 'operator' ? `move the ${subject} to` : 'ask the operators of the API for'} a plan that allows ` +
    `at least ${cost} per minute.`,
];

const WINDOW_LABELS: Readonly<Record<WindowName, string>> = { minute: 'per-minute', day: 'daily', month: 'monthly' };

function describeFullWindow(
  { facts: { cost }, planName, at }: ExplanationInput,
  window: WindowName,
  view: WindowView,
): string {
  const { limit, used, resetAt } = view;
  const name =
    window === 'minute'
      ? `The limit for the minute starting at ${formatTimeNear(resetAt - MINUTE_MS, at)}`
      : `The ${WINDOW_LABELS[window]} limit`;
  if (cost === 1) return `${name} had been reached: ${used} of ${pluralize(limit, 'request')} used (plan ${planName}).`;
  return `${name} left too few units: ${used} of ${pluralize(limit, 'unit')} used, and the request costs ${cost} (plan ${planName}).`;
}

function describeShare({ degraded }: QuotaFacts): string | null {
  if (!degraded) return null;
  return 'The shared counters were unavailable: this gateway counted on its own, against its share of the limits.';
}

function describeFreeTime(input: ExplanationInput): string | null {
  const { at, now, subject } = input;
  const { freeAt, retryAfterSeconds } = input.facts;
  if (freeAt === null) return null;
  const retryHint = retryAfterSeconds === null ? '' : ` (Retry-After: ${formatDuration(retryAfterSeconds * 1000)})`;
  const verbs = subject === 'key' ? 'be used' : 'call';
  return `The ${subject} ${now < freeAt ? 'can' : 'could'} ${verbs} again from ${formatTimeNear(freeAt, at)}${retryHint}.`;
}

function describeStrikes(
  { strikes: count, strikesForBan, strikesWithinMs }: AdmissionFacts,
  { subject }: ExplanationInput,
): string {
  const ban = `${pluralize(strikesForBan, 'strike')} within ${formatDuration(strikesWithinMs)} ${strikesForBan === 1 ? 'leads' : 'lead'} to a ban.`;
  if (count === 0) return `The ${subject} had no strikes. ${ban}`;
  const what = count === 1 ? 'a request' : 'requests';
  return `The ${subject} had ${pluralize(count, 'strike')}, ${what} made without waiting for Retry-After. ${ban}`;
}

/** Mentions the audit log only to operators, because consumers cannot see it. */
function describeManualBan({ from, until }: BanView, { at, reader, subject }: ExplanationInput): string[] {
  const ban = `An operator banned the ${subject} at ${formatTimeNear(from, at)}, until ${formatTimeNear(until, at)}.`;
  return [reader === 'operator' ? `${ban} The audit log has the reason.` : ban];
}

/** States the planned length of the ban, because the ban may have been lifted early. */
function describeAutomaticBan(
  { from, until, level }: BanView,
  admission: AdmissionFacts,
  { at, subject }: ExplanationInput,
): string[] {
  const { banStarted, strikes: count, strikesWithinMs } = admission;
  const length = formatDuration(until - from);
  const repeated = level > 1 ? [`This was consecutive ban number ${level}; bans get longer each time.`] : [];
  if (!banStarted) {
    return [
      `The ${subject} was banned at ${formatTimeNear(from, at)} for ${length}: it kept calling without waiting for Retry-After.`,
      ...repeated,
    ];
  }
  return [
    `The ${subject} was banned for ${length}: it called ${count} times within ${formatDuration(strikesWithinMs)} without waiting for ` +
      'Retry-After. This was the last of these calls.',
    ...repeated,
  ];
}

const UNCHARGED_NOTICE = 'The request did not count against the quota.';

/** Finds the function that writes the sentences for a code. */
export function findExplainer(code: CallErrorCode): ExplainReason {
  // A gateway of a different version may have stored a code that does not exist in this version.
  return (Object.hasOwn(EXPLAINERS, code) ? EXPLAINERS[code] : undefined) ?? explainOther;
}

const EXPLAINERS: Partial<Record<CallErrorCode, ExplainReason>> = {
  rate_limit_exceeded: explainLimit,
  quota_exceeded: explainLimit,
  key_banned: explainBan,
  cost_exceeds_limit: explainCost,
  too_many_concurrent_requests: explainConcurrency,
  key_expired: (input) => [...describeKeyState(input), UNCHARGED_NOTICE, adviseNewKey(input)],
  key_revoked: (input) => [...describeKeyState(input), UNCHARGED_NOTICE, adviseNewKey(input)],
  too_many_failed_attempts: (input) => [
    ...describeKeyState(input),
    `Too many attempts with an invalid ${input.subject === 'key' ? 'key' : 'key or token'} had come from the client's address.`,
    UNCHARGED_NOTICE,
    adviseNewKey(input),
  ],
  operation_not_allowed: explainNotIncluded,
  insufficient_scope: ({ facts: { more }, reader }) => [
    `The operation requires the scopes "${more.scopes ?? ''}", and the access token did not have them.`,
    UNCHARGED_NOTICE,
    'The refusal was not a strike.',
    reader === 'operator'
      ? 'What to do: let the identity provider grant the scopes to the caller, or change security in the document of the service.'
      : 'What to do: ask your identity provider for a token with these scopes.',
  ],
  address_not_allowed: (input) => [
    `The ${input.subject} cannot ${input.subject === 'key' ? 'be used' : 'call'} from ${input.facts.more.address ?? 'the address of the client'}.`,
    UNCHARGED_NOTICE,
    `What to do: call from an allowed address, or add this one to the addresses of the ${input.subject}. If the call was not ` +
      `yours, ${LEAK_ADVICE[input.subject]}.`,
  ],
  operation_sunset: (input) => [
    `The operation was removed${describeSunset(input.facts.more)}.`,
    UNCHARGED_NOTICE,
    describeBehavior(input),
    describeSuccessor(input.facts.more),
  ],
  operation_brownout: (input) => [
    describeBrownout(input),
    UNCHARGED_NOTICE,
    describeBehavior(input),
    describeSuccessor(input.facts.more),
  ],
  route_not_found: ({ facts }) => [
    'There is no operation at this path.',
    describeCharge(facts),
    'What to do: check the path against /_gateway/openapi.json.',
  ],
  method_not_allowed: ({ facts }) => [
    `The path supports ${facts.more.allow ?? 'other methods'}.`,
    describeCharge(facts),
    'What to do: use a method listed in Allow.',
  ],
  body_too_large: ({ facts }) => [describeBody(facts.more), describeCharge(facts), 'What to do: send a smaller body.'],
  too_many_connections: ({ facts, subject }) => [
    `The ${subject} had reached its limit of open WebSockets at this gateway.`,
    describeCharge(facts),
    'What to do: close some before opening others, and check for connections that are never closed.',
  ],
  upgrade_not_supported: ({ facts }) => [
    'The operation does not support WebSockets.',
    describeCharge(facts),
    'What to do: call it over plain HTTP, without an upgrade.',
  ],
  upstream_unreachable: ({ facts }) => [
    'The service behind the gateway could not be reached, or the connection was lost before it responded.',
    describeCharge(facts),
    TRY_AGAIN_ADVICE,
  ],
  upstream_timeout: ({ facts }) => [
    `The service behind the gateway had not responded after ${formatDuration(facts.durationMs)}.`,
    describeCharge(facts),
    TRY_AGAIN_ADVICE,
  ],
  upstream_bad_response: ({ facts }) => [
    'The service behind the gateway returned an invalid HTTP response.',
    describeCharge(facts),
    TRY_AGAIN_ADVICE,
  ],
  upstream_busy: ({ facts }) => [
    'All connections to the service were in use, or it had as many event streams open as it may have.',
    describeCharge(facts),
    'What to do: try again after the time in Retry-After.',
  ],
  // Only gateways of earlier versions have stored refusals with this code.
  overloaded: ({ facts }) => [
    'The queue for the service was full, so this request was not sent to it.',
    describeCharge(facts),
    'What to do: try again after the time in Retry-After.',
  ],
  store_unavailable: ({ planName }) => [
    `The counters could not be reached, and plan ${planName} refuses all requests without them.`,
    UNCHARGED_NOTICE,
    'What to do: try again after the time in Retry-After.',
  ],
};

/** `too_many_concurrent_requests` */
function explainConcurrency(input: ExplanationInput): (string | null)[] {
  const { concurrent } = input.facts.more;
  const limit = concurrent === undefined ? 'as many requests' : pluralize(concurrent, 'request');
  const allowedText = concurrent === undefined ? 'fewer requests' : `at most ${pluralize(concurrent, 'request')}`;
  return [
    `The ${input.subject} already had ${limit} in progress at this gateway, which is as many as it may have at once.`,
    `Requests of all keys${input.subject === 'key' ? '' : ' and callers'} that share its quota count, event streams and WebSockets as long as they are open.`,
    UNCHARGED_NOTICE,
    'The refusal was not a strike.',
    describeBehavior(input),
    `What to do: have ${allowedText} in progress at a time: wait for one to finish before sending the next. If you need more, use a ` +
      'plan that allows more.',
  ];
}

/** Explains `operation_not_allowed`: the plan, the key, or both exclude the operation. */
function explainNotIncluded({ facts: { more }, planName, keyName, reader, subject }: ExplanationInput): string[] {
  const plan = `Plan ${planName} does not include this operation`;
  const key = `${subject}${keyName === null ? '' : ` ${keyName}`} is restricted to other operations`;
  const writeReason = (cause: string, todo: Readonly<Record<Reader, string>>) => {
    return [cause, UNCHARGED_NOTICE, `What to do: ${todo[reader]}`];
  };
  const { excludedBy = [] } = more;
  if (excludedBy.includes('plan') && excludedBy.includes('key')) {
    return writeReason(`${plan}, and the ${key}, too.`, {
      operator: `add the operation to the ${subject}, and to the plan, or move the ${subject} to a plan that includes it.`,
      consumer: `ask the operators of the API for a plan that includes it, and to add it to the ${subject}.`,
    });
  }
  if (excludedBy.includes('key')) {
    return writeReason(`The ${key}; plan ${planName} includes this one.`, {
      operator: `add the operation to the ${subject}.`,
      consumer: `ask the operators of the API to add the operation to the ${subject}.`,
    });
  }
  const byPlan = {
    operator: `add the operation to the plan, or move the ${subject} to a plan that includes it.`,
    consumer: 'request a plan that includes it, or ask the operators of the API.',
  };
  if (excludedBy.includes('plan')) return writeReason(`${plan}.`, byPlan);
  return writeReason(`Plan ${planName}, or the ${subject} itself, does not include this operation.`, {
    ...byPlan,
    operator: `add the operation to the plan or the ${subject}, or move the ${subject} to a plan that includes it.`,
  });
}

const LEAK_ADVICE = {
  key: 'the key has leaked: rotate it',
  caller: 'a token of the caller has leaked: change its credentials at the identity provider',
} as const;

/** A caller has no other key, so only operators can help. */
function adviseNewKey({ subject, reader }: ExplanationInput): string {
  if (subject === 'key')
    return 'What to do: use the key that replaced it, or ask the operators of the API for a new one.';
  return reader === 'operator'
    ? 'What to do: change the state or the expiry of the caller, if it may call again.'
    : 'What to do: ask the operators of the API to let the caller call again.';
}

const TRY_AGAIN_ADVICE =
  'What to do: try again, if it is safe to repeat the request. If it fails again, report the request id.';

/** For codes unrelated to the key: the message of the response. */
const explainOther: ExplainReason = ({ facts }) => [
  Object.hasOwn(errors, facts.code) ? errors[facts.code].message : null,
  describeCharge(facts),
];

function describeKeyState({ facts: { more }, at, subject }: ExplanationInput): string[] {
  const { keyStatus, expiresAt } = more;
  if (keyStatus !== undefined && keyStatus !== 'active') return [`The ${subject} was ${keyStatus}.`];
  return [
    typeof expiresAt === 'number'
      ? `The ${subject} expired at ${formatTimeNear(expiresAt, at)}.`
      : `The ${subject} had expired.`,
  ];
}

function describeBrownout({ facts: { more }, at, now }: ExplanationInput): string {
  const { brownout, sunsetAt } = more;
  const end =
    sunsetAt === null || sunsetAt === undefined ? 'it will be removed' : `it will be removed${describeSunset(more)}`;
  if (brownout === undefined) return `The operation was temporarily switched off because ${end}.`;
  const { from, to } = brownout;
  const verb = now < to ? 'is' : 'was';
  return `The operation ${verb} switched off from ${formatTimeNear(from, at)} to ${formatTimeNear(to, at)} because ${end}.`;
}

function describeSunset({ sunsetAt }: MoreFacts): string {
  return typeof sunsetAt === 'number' ? ` at ${formatDateAndTime(sunsetAt)}` : '';
}

function describeSuccessor({ successor }: MoreFacts): string {
  return typeof successor === 'string'
    ? `What to do: move to its successor, ${successor}.`
    : 'What to do: ask the operators of the API what replaces it.';
}

function describeBody({ maxBodyBytes, bodyBytes }: MoreFacts): string {
  const limit = maxBodyBytes === undefined ? '' : `; the operation allows ${pluralize(maxBodyBytes, 'byte')}`;
  return typeof bodyBytes === 'number'
    ? `The body had ${pluralize(bodyBytes, 'byte')}${limit}.`
    : `The body was too large${limit}.`;
}

function describeCharge({ charged }: RefusalFacts): string {
  return charged === 0
    ? UNCHARGED_NOTICE
    : `The request used ${pluralize(charged, 'unit')} of the quota, like any other.`;
}

/** Counts are written every 10 s, so the counts of a minute may be incomplete until this long after its end. */
const WRITTEN_AFTER_MS = 15_000;

/**
 * Describes the requests of the key in the minute of the refusal and afterwards; null if they are not counted yet.
 * Requests are counted by clock minutes, so this is a minute of the clock, and not the window of the quota.
 */
function describeBehavior({ at, now, until, minutes, subject }: ExplanationInput): string | null {
  const minute = at - (at % MINUTE_MS);
  const nextMinute = minute + MINUTE_MS;
  if (now < nextMinute + WRITTEN_AFTER_MS) return null;
  const during = sumCounts(minutes.filter((each) => each.at < nextMinute));
  const end = until - (until % MINUTE_MS) + MINUTE_MS;
  const after = sumCounts(minutes.filter((each) => each.at >= nextMinute));
  const to = now < end ? 'until now' : `to ${formatTimeNear(end, at)}`;
  const next = formatTimeNear(nextMinute, at);
  return `From ${formatTimeNear(minute, at)} to ${next} the ${subject} made ${formatRequests(during)}. From ${next} ${to} it made ${formatRequests(after)}.`;
}

/** Describes the strikes after the refusal; null if there were none, or if that is not known. */
function describeNextStrikes({ facts, at, later }: ExplanationInput): string | null {
  const decisions = later.map((each) => ({ strikes: 0, banStarted: false, ...each.facts.admission, at: each.at }));
  const start = decisions.find(({ banStarted }) => banStarted);
  if (start !== undefined) {
    return `The client kept calling: strike ${start.strikes} at ${formatTimeNear(start.at, at)} started a ban.`;
  }
  const strikes = Math.max(0, ...decisions.map((decision) => decision.strikes));
  if (strikes <= (facts.admission?.strikes ?? 0)) return null;
  return `The client kept calling, and reached ${strikes} strikes or more.`;
}

interface Counts {
  readonly requests: number;
  readonly refused: number;
}

function sumCounts(minutes: readonly Counts[]): Counts {
  let [total, refused] = [0, 0];
  for (const each of minutes) {
    total += each.requests;
    refused += each.refused;
  }
  return { requests: total, refused };
}

function formatRequests({ requests: total, refused }: Counts): string {
  if (total === 0) return 'none';
  if (total === 1) return `1 request, which was ${refused === 1 ? '' : 'not '}refused`;
  const part = refused === 0 ? 'none' : refused === total ? 'all' : `${refused} of them`;
  return `${total} requests, ${part} refused`;
}
