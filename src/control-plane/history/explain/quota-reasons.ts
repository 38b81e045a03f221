import type { BanView, WindowName } from '../../../data-plane/ports.ts';
import { DAY_MS, MINUTE_MS } from '../../../base/time.ts';
import { behaviour, nextStrikes } from './behaviour.ts';
import type { Explained, Reader, Reason } from './explanation.ts';
import type { AdmissionFacts, QuotaFacts } from './facts.ts';
import { counted, lasting, timeNear } from './times-and-counts.ts';

const WINDOW_MS = { minute: MINUTE_MS, day: DAY_MS };

/** `rate_limit_exceeded` and `quota_exceeded`. */
export const limitReached: (window: WindowName) => Reason = (window) => (explained) => {
  const { facts, at } = explained;
  const { quota, admission } = facts;
  if (quota === null || admission === null) return [];
  const { limit } = quota[window];
  return [
    fullness(explained, quota, window),
    window === 'day' && quota.minute.remaining < facts.cost ? 'The minute was full, too.' : null,
    admission.refusingSince < at
      ? `It had refused requests since ${timeNear(admission.refusingSince, at)}.`
      : 'This was the first request it refused.',
    share(quota),
    free(explained),
    behaviour(explained),
    strikes(admission),
    nextStrikes(explained),
    `What to do: wait for the time in Retry-After before the next request, and make at most ${limit} a ${window}. ` +
      'If that is not enough, a plan with higher limits is needed.',
  ];
};

/** `key_banned` */
export const banned: Reason = (explained) => {
  const { quota, admission, freeAt } = explained.facts;
  if (quota === null || admission === null || quota.ban === null) return [];
  const { ban } = quota;
  const isLongerFull = (freeAt ?? 0) > ban.until;
  return [
    ...(ban.manual ? banByHand(ban, explained) : banByStrikes(ban, admission, explained)),
    'Requests during a ban cost nothing and do not prolong it.',
    isLongerFull ? 'A limit is reached for longer than the ban lasts.' : null,
    free(explained),
    behaviour(explained),
    ban.manual
      ? AFTER_BAN_BY_HAND[explained.reader]
      : 'What to do: have the client wait for the time in Retry-After whenever an answer carries it: one that does is ' +
        'never banned. The operators of the API can lift the ban.',
  ];
};

const AFTER_BAN_BY_HAND: Readonly<Record<Reader, string>> = {
  operator: 'What to do: settle the reason with the owner of the key, then lift the ban.',
  consumer: 'What to do: ask the operators of the API for the reason. They can lift the ban.',
};

/** `cost_exceeds_limit` */
export const costTooHigh: Reason = ({ facts: { cost, plan, quota }, reader }) => [
  `It costs ${counted(cost, 'unit')}, and plan ${plan} allows ${quota?.minute.limit ?? 'fewer'} a minute: waiting does ` +
    'not help. Nothing was charged.',
  `What to do: ${reader === 'operator' ? 'move the key to' : 'ask the operators of the API for'} a plan that allows ` +
    `${cost} a minute or more.`,
];

function fullness({ facts: { cost, plan }, at }: Explained, quota: QuotaFacts, window: WindowName): string {
  const { limit, used, resetAt } = quota[window];
  const since = timeNear(resetAt - WINDOW_MS[window], at);
  const name = window === 'minute' ? `The minute that began at ${since}` : 'The day';
  if (cost === 1) return `${name} was full: ${used} of ${counted(limit, 'request')} were used (plan ${plan}).`;
  return `${name} had no room for it: ${used} of ${counted(limit, 'unit')} were used, and it costs ${cost} (plan ${plan}).`;
}

function share({ degraded }: QuotaFacts): string | null {
  if (!degraded) return null;
  return 'The shared counters did not answer: this gateway counted alone, against its share of the limits.';
}

function free({ facts: { freeAt, retryAfterSeconds }, at, now }: Explained): string | null {
  if (freeAt === null) return null;
  const told = retryAfterSeconds === null ? '' : `: Retry-After said ${lasting(retryAfterSeconds * 1000)}`;
  return `The key ${now < freeAt ? 'is' : 'was'} free again at ${timeNear(freeAt, at)}${told}.`;
}

function strikes({ strikes: count, strikesForBan, strikesWithinMs }: AdmissionFacts): string {
  const ban = `${strikesForBan} within ${lasting(strikesWithinMs)} ban the key`;
  if (count === 0) return `The key had no strikes; ${ban}.`;
  const what = count === 1 ? 'a request' : 'requests';
  return `The key had ${counted(count, 'strike')}, ${what} made before the time in Retry-After had passed; ${ban}.`;
}

/** Consumers do not see the audit log. */
function banByHand({ from, until }: BanView, { at, reader }: Explained): string[] {
  const ban = `An operator had banned the key from ${timeNear(from, at)} to ${timeNear(until, at)}`;
  return [reader === 'operator' ? `${ban}; the audit log has the reason.` : `${ban}.`];
}

function banByStrikes({ from, until, level }: BanView, admission: AdmissionFacts, { at }: Explained): string[] {
  const { banStarted, strikes: count, strikesWithinMs } = admission;
  const length = lasting(until - from);
  const repeated = level > 1 ? [`It was ban number ${level} in a row: repeated bans last longer.`] : [];
  if (!banStarted) {
    return [
      `The key was banned from ${timeNear(from, at)} to ${timeNear(until, at)} (${length}), for requests made again and ` +
        'again before the time in Retry-After had passed.',
      ...repeated,
    ];
  }
  return [
    `It was strike ${count} within ${lasting(strikesWithinMs)}, a request made before the time in Retry-After had ` +
      `passed, and started a ban of ${length}.`,
    ...repeated,
  ];
}
