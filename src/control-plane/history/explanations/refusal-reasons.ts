import { errors, type CallErrorCode } from '../../../domain/error-codes.ts';
import { DAY_MS, MINUTE_MS, HOUR_MS, SECOND_MS } from '../../../base/time.ts';
import type { MoreFacts, ReadFacts, RefusalFacts, AdmissionFacts, QuotaFacts } from './refusal-facts.ts';
import type { FoundRefusal } from '../store/history-store.ts';
import { type ByWindow, type WindowName, listWindows } from '../../../domain/quota-limits.ts';
import type { BanView, WindowView } from '../../../data-plane/boundary-types.ts';

/** The reader of an explanation. Operators may see and do more than consumers. */
export type Reader = 'operator' | 'consumer';

/** Input for the sentences about a refusal. Times are ms since the Unix epoch. */
export interface Explained {
  readonly facts: ReadFacts;
  /** The name of the key's plan at that time, or the id of the plan if the name is not known. */
  readonly planName: string;
  /** Null: the name is not known. */
  readonly keyName: string | null;
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
type Reason = (explained: Explained) => readonly (string | null)[];

/** @returns a time such as `2026-11-21 10:00:31 UTC` */
export function dateAndTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** @returns a time such as `10:00:31`, with the date if `time` is not on the same day as `near` */
function timeNear(time: number, near: number): string {
  const isSameDay = Math.floor(time / DAY_MS) === Math.floor(near / DAY_MS);
  return isSameDay ? new Date(time).toISOString().slice(11, 19) : dateAndTime(time);
}

/** @returns text such as `1 request` or `2 requests` */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @returns text such as `250 ms`, `32 seconds`, `5 minutes` or `12 hours`, rounded as a person would say it */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < 2 * MINUTE_MS && durationMs % MINUTE_MS !== 0) return unit(durationMs, SECOND_MS, 'second');
  if (durationMs < 2 * HOUR_MS && durationMs % HOUR_MS !== 0) return unit(durationMs, MINUTE_MS, 'minute');
  if (durationMs < 2 * DAY_MS) return unit(durationMs, HOUR_MS, 'hour');
  return unit(durationMs, DAY_MS, 'day');
}

function unit(durationMs: number, unitMs: number, noun: string): string {
  return pluralize(Math.round(durationMs / unitMs), noun);
}

/** The windows without enough units left for a request, shortest first. */
export function fullWindows(quota: ByWindow<WindowView>, cost: number) {
  return listWindows<WindowView>(quota).filter(({ view }) => view.remaining < cost);
}

/** Counts in requests if a request costs one unit, and otherwise in units. */
export function stayWithin(limit: number, cost: number): string {
  return cost === 1 ? `make at most ${pluralize(limit, 'request')}` : `use at most ${pluralize(limit, 'unit')}`;
}

/** `rate_limit_exceeded` and `quota_exceeded`: explained by the longest window that was full. */
const limitReached: Reason = (explained) => {
  const { facts, at } = explained;
  const { quota, admission } = facts;
  if (quota === null || admission === null) return [];
  const [last, ...others] = fullWindows(quota, facts.cost).toReversed();
  if (last === undefined) return [];
  const { name: window, view } = last;
  const { limit } = view;
  return [
    fullness(explained, window, view),
    others.length === 0
      ? null
      : `The ${others.map(({ name }) => `${NAMES[name]} limit`).join(' and the ')} was reached, too.`,
    admission.refusingSince < at
      ? `Requests had been refused since ${timeNear(admission.refusingSince, at)}.`
      : 'This was the first refused request.',
    share(quota),
    free(explained),
    behavior(explained),
    strikes(admission),
    nextStrikes(explained),
    `What to do: wait for the time in Retry-After before the next request, and ${stayWithin(limit, facts.cost)} per ${window}. ` +
      'If you need more, use a plan with higher limits.',
  ];
};

/** `key_banned` */
const banned: Reason = (explained) => {
  const { quota, admission } = explained.facts;
  if (quota === null || admission === null || quota.ban === null) return [];
  const { ban } = quota;
  return [
    ...(ban.manual ? banByHand(ban, explained) : banByStrikes(ban, admission, explained)),
    'Requests during a ban do not count against the quota and do not prolong the ban.',
    earlyEnd(explained),
    limitAfter(ban, explained),
    free(explained),
    behavior(explained),
    ban.manual ? afterBanByHand(ban, explained) : afterBanByStrikes(ban, explained),
  ];
};

/** Whether the ban of a refusal is over, because it ended on time, or was lifted or replaced. */
export function isBanOver(ban: BanView, { facts, now }: Pick<Explained, 'facts' | 'now'>): boolean {
  return facts.banEnd !== null || now >= ban.until;
}

/** Describes how the ban ended early. Consumers do not see the names of operators. */
function earlyEnd({ facts: { banEnd }, at, reader }: Explained): string | null {
  if (banEnd === null) return null;
  const time = timeNear(banEnd.at, at);
  if (banEnd.kind === 'replaced') return `Another ban replaced it at ${time}.`;
  return `${reader === 'operator' ? banEnd.actor : 'An operator'} lifted the ban at ${time}.`;
}

function limitAfter(ban: BanView, explained: Explained): string | null {
  const { freeAt, banEnd } = explained.facts;
  if (freeAt === null || freeAt <= (banEnd?.at ?? ban.until)) return null;
  return isBanOver(ban, explained)
    ? 'One of the limits was still exhausted when the ban ended.'
    : 'One of the limits will still be exhausted when the ban ends.';
}

function afterBanByStrikes(ban: BanView, explained: Explained): string {
  return (
    'What to do: make the client wait for the time in Retry-After whenever a response has this header: clients that do so are ' +
    `never banned automatically.${isBanOver(ban, explained) ? '' : LIFT[explained.reader]}`
  );
}

function afterBanByHand(ban: BanView, explained: Explained): string {
  if (explained.facts.banEnd?.kind === 'replaced') return AFTER_REPLACED_BAN[explained.reader];
  return isBanOver(ban, explained) ? 'What to do: nothing. The ban is over.' : DURING_BAN_BY_HAND[explained.reader];
}

const LIFT: Readonly<Record<Reader, string>> = {
  operator: ' You can lift the ban.',
  consumer: ' The operators of the API can lift the ban.',
};

const DURING_BAN_BY_HAND: Readonly<Record<Reader, string>> = {
  operator: 'What to do: resolve the cause with the owner of the key, then lift the ban.',
  consumer: 'What to do: ask the operators of the API for the reason. They can lift the ban.',
};

const AFTER_REPLACED_BAN: Readonly<Record<Reader, string>> = {
  operator: 'What to do: see whether the other ban is still active. You can lift it.',
  consumer: 'What to do: see whether the other ban is still active. The operators of the API can lift it.',
};

/** `cost_exceeds_limit` */
const costTooHigh: Reason = ({ facts: { cost, quota }, planName, reader }) => [
  `The request costs ${pluralize(cost, 'unit')}, and plan ${planName} allows ${quota?.minute.limit ?? 'fewer'} per minute: waiting does ` +
    'not help. The request did not count against the quota.',
  `What to do: ${reader === 'operator' ? 'move the key to' : 'ask the operators of the API for'} a plan that allows ` +
    `at least ${cost} per minute.`,
];

const NAMES: Readonly<Record<WindowName, string>> = { minute: 'per-minute', day: 'daily', month: 'monthly' };

function fullness({ facts: { cost }, planName, at }: Explained, window: WindowName, view: WindowView): string {
  const { limit, used, resetAt } = view;
  const name =
    window === 'minute'
      ? `The limit for the minute starting at ${timeNear(resetAt - MINUTE_MS, at)}`
      : `The ${NAMES[window]} limit`;
  if (cost === 1) return `${name} had been reached: ${used} of ${pluralize(limit, 'request')} used (plan ${planName}).`;
  return `${name} left too few units: ${used} of ${pluralize(limit, 'unit')} used, and the request costs ${cost} (plan ${planName}).`;
}

function share({ degraded }: QuotaFacts): string | null {
  if (!degraded) return null;
  return 'The shared counters were unavailable: this gateway counted on its own, against its share of the limits.';
}

function free({ facts: { freeAt, retryAfterSeconds, banEnd }, at, now }: Explained): string | null {
  if (freeAt === null) return null;
  const said = banEnd === null ? 'said' : 'had said';
  const told = retryAfterSeconds === null ? '' : `: Retry-After ${said} ${formatDuration(retryAfterSeconds * 1000)}`;
  return `The key ${now < freeAt ? 'can' : 'could'} be used again at ${timeNear(freeAt, at)}${told}.`;
}

function strikes({ strikes: count, strikesForBan, strikesWithinMs }: AdmissionFacts): string {
  const ban = `${pluralize(strikesForBan, 'strike')} within ${formatDuration(strikesWithinMs)} ${strikesForBan === 1 ? 'leads' : 'lead'} to a ban.`;
  if (count === 0) return `The key had no strikes. ${ban}`;
  const what = count === 1 ? 'a request' : 'requests';
  return `The key had ${pluralize(count, 'strike')}, ${what} made without waiting for Retry-After. ${ban}`;
}

/** Mentions the audit log only to operators, because consumers cannot see it. */
function banByHand({ from, until }: BanView, { at, reader }: Explained): string[] {
  const ban = `An operator had banned the key at ${timeNear(from, at)} until ${timeNear(until, at)}`;
  return [reader === 'operator' ? `${ban}; the audit log has the reason.` : `${ban}.`];
}

/** States the planned length of the ban, because the ban may have been lifted early. */
function banByStrikes({ from, until, level }: BanView, admission: AdmissionFacts, { at }: Explained): string[] {
  const { banStarted, strikes: count, strikesWithinMs } = admission;
  const length = formatDuration(until - from);
  const repeated = level > 1 ? [`This was consecutive ban number ${level}; bans get longer each time.`] : [];
  if (!banStarted) {
    return [
      `The key was banned at ${timeNear(from, at)} for ${length}: it kept calling without waiting for Retry-After.`,
      ...repeated,
    ];
  }
  return [
    `The key was banned for ${length}: it called ${count} times within ${formatDuration(strikesWithinMs)} without waiting for ` +
      'Retry-After. This was the last of these calls.',
    ...repeated,
  ];
}

const UNCHARGED = 'The request did not count against the quota.';

/** Finds the function that writes the sentences for a code. */
export function reasonFor(code: CallErrorCode): Reason {
  // A gateway of a different version may have stored a code that does not exist in this version.
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? unlisted;
}

const REASONS: Partial<Record<CallErrorCode, Reason>> = {
  rate_limit_exceeded: limitReached,
  quota_exceeded: limitReached,
  key_banned: banned,
  cost_exceeds_limit: costTooHigh,
  too_many_concurrent_requests: tooManyAtOnce,
  key_expired: (explained) => [...badKey(explained), UNCHARGED, NEW_KEY],
  key_revoked: (explained) => [...badKey(explained), UNCHARGED, NEW_KEY],
  too_many_failed_attempts: (explained) => [
    ...badKey(explained),
    "Too many attempts with an invalid key had come from the client's address.",
    UNCHARGED,
    NEW_KEY,
  ],
  operation_not_allowed: notIncluded,
  address_not_allowed: (explained) => [
    `The key cannot be used from ${explained.facts.more.address ?? 'the address of the client'}.`,
    UNCHARGED,
    'What to do: call from an allowed address, or add this one to the addresses of the key. If the call was not yours, the ' +
      'key has leaked: rotate it.',
  ],
  operation_sunset: (explained) => [
    `The operation was removed${describeSunset(explained.facts.more)}.`,
    UNCHARGED,
    behavior(explained),
    describeSuccessor(explained.facts.more),
  ],
  operation_brownout: (explained) => [
    describeBrownout(explained),
    UNCHARGED,
    behavior(explained),
    describeSuccessor(explained.facts.more),
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
  too_many_connections: ({ facts }) => [
    'The key had reached its limit of open WebSockets at this gateway.',
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
    TRY_AGAIN,
  ],
  upstream_timeout: ({ facts }) => [
    `The service behind the gateway had not responded after ${formatDuration(facts.durationMs)}.`,
    describeCharge(facts),
    TRY_AGAIN,
  ],
  upstream_bad_response: ({ facts }) => [
    'The service behind the gateway returned an invalid HTTP response.',
    describeCharge(facts),
    TRY_AGAIN,
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
    UNCHARGED,
    'What to do: try again after the time in Retry-After.',
  ],
};

/** `too_many_concurrent_requests` */
function tooManyAtOnce(explained: Explained): (string | null)[] {
  const { concurrent } = explained.facts.more;
  const limit = concurrent === undefined ? 'as many requests' : pluralize(concurrent, 'request');
  const stay = concurrent === undefined ? 'fewer requests' : `at most ${pluralize(concurrent, 'request')}`;
  return [
    `The key already had ${limit} in progress at this gateway, which is as many as it may have at once.`,
    'Requests of all keys that share its quota count, event streams and WebSockets as long as they are open.',
    UNCHARGED,
    'The refusal was not a strike.',
    behavior(explained),
    `What to do: have ${stay} in progress at a time: wait for one to finish before sending the next. If you need more, use a ` +
      'plan that allows more.',
  ];
}

/** `operation_not_allowed`: because of the plan, of the key, or of both. */
function notIncluded({ facts: { more }, planName, keyName, reader }: Explained): string[] {
  const plan = `Plan ${planName} does not include this operation`;
  const key = `key${keyName === null ? '' : ` ${keyName}`} is restricted to other operations`;
  const because = (cause: string, todo: Readonly<Record<Reader, string>>) => {
    return [cause, UNCHARGED, `What to do: ${todo[reader]}`];
  };
  const { excludedBy = [] } = more;
  if (excludedBy.includes('plan') && excludedBy.includes('key')) {
    return because(`${plan}, and the ${key}, too.`, {
      operator: 'add the operation to the key, and to the plan, or move the key to a plan that includes it.',
      consumer: 'ask the operators of the API for a plan that includes it, and to add it to the key.',
    });
  }
  if (excludedBy.includes('key')) {
    return because(`The ${key}; plan ${planName} includes this one.`, {
      operator: 'add the operation to the key.',
      consumer: 'ask the operators of the API to add the operation to the key.',
    });
  }
  const byPlan = {
    operator: 'add the operation to the plan, or move the key to a plan that includes it.',
    consumer: 'request a plan that includes it, or ask the operators of the API.',
  };
  if (excludedBy.includes('plan')) return because(`${plan}.`, byPlan);
  return because(`Plan ${planName}, or the key itself, does not include this operation.`, {
    ...byPlan,
    operator: 'add the operation to the plan or the key, or move the key to a plan that includes it.',
  });
}

const NEW_KEY = 'What to do: use the key that replaced it, or ask the operators of the API for a new one.';
const TRY_AGAIN =
  'What to do: try again, if it is safe to repeat the request. If it fails again, report the request id.';

/** For codes unrelated to the key: the message of the response. */
const unlisted: Reason = ({ facts }) => [
  Object.hasOwn(errors, facts.code) ? errors[facts.code].message : null,
  describeCharge(facts),
];

function badKey({ facts: { more }, at }: Explained): string[] {
  const { keyStatus, expiresAt } = more;
  if (keyStatus !== undefined && keyStatus !== 'active') return [`The key was ${keyStatus}.`];
  return [typeof expiresAt === 'number' ? `The key expired at ${timeNear(expiresAt, at)}.` : 'The key had expired.'];
}

function describeBrownout({ facts: { more }, at, now }: Explained): string {
  const { brownout, sunsetAt } = more;
  const end =
    sunsetAt === null || sunsetAt === undefined ? 'it will be removed' : `it will be removed${describeSunset(more)}`;
  if (brownout === undefined) return `The operation was temporarily switched off because ${end}.`;
  const { from, to } = brownout;
  const verb = now < to ? 'is' : 'was';
  return `The operation ${verb} switched off from ${timeNear(from, at)} to ${timeNear(to, at)} because ${end}.`;
}

function describeSunset({ sunsetAt }: MoreFacts): string {
  return typeof sunsetAt === 'number' ? ` at ${dateAndTime(sunsetAt)}` : '';
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
  return charged === 0 ? UNCHARGED : `The request used ${pluralize(charged, 'unit')} of the quota, like any other.`;
}

/** Counts are written every 10 s, so the counts of a minute may be incomplete until this long after its end. */
const WRITTEN_AFTER_MS = 15_000;

/**
 * Describes the requests of the key in the minute of the refusal and afterwards; null if they are not counted yet.
 * Requests are counted by clock minutes, so this is a minute of the clock, and not the window of the quota.
 */
function behavior({ at, now, until, minutes }: Explained): string | null {
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

/** Describes the strikes after the refusal; null if there were none, or if that is not known. */
function nextStrikes({ facts, at, later }: Explained): string | null {
  const decisions = later.map((each) => ({ strikes: 0, banStarted: false, ...each.facts.admission, at: each.at }));
  const start = decisions.find(({ banStarted }) => banStarted);
  if (start !== undefined) {
    return `The client kept calling: strike ${start.strikes} at ${timeNear(start.at, at)} started a ban.`;
  }
  const strikes = Math.max(0, ...decisions.map((decision) => decision.strikes));
  if (strikes <= (facts.admission?.strikes ?? 0)) return null;
  return `The client kept calling, and reached ${strikes} strikes or more.`;
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
