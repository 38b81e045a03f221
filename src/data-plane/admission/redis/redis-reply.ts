import { findMonth, type Millis } from '../../../base/time.ts';
import type { BanView } from '../ban-rules.ts';
import type { Decision, Outcome } from '../decide.ts';
import type { Limits } from '../../../domain/quota-limits.ts';
import type { State } from '../state.ts';
import type { Usage } from '../quota-usage.ts';
import { toBanView } from '../ban-rules.ts';
import { initialState } from '../state.ts';
import { findStartOfDay } from '../windows.ts';
import { toUsage } from '../quota-usage.ts';

/** Outcomes in the order of their codes in admit.lua. */
const OUTCOMES: readonly Outcome[] = [
  'admitted',
  'minute_exhausted',
  'day_exhausted',
  'banned',
  'cost_exceeds_limit',
  'month_exhausted',
];

/** A script's reply for one quota. The first number is the decision. */
export type Reply = readonly [code: number, now: Millis, ...numbers: number[]];

/** The reply of `admit` for several requests: see `readBatch`. */
export type BatchReply = readonly [code: number, now: Millis, replies?: string];

const TOO_LATE = -1;

/** Number of fields of a ban. A reply has these fields only if a ban is active. */
const BAN_FIELDS = 4;

/** True if the script ran after its deadline and therefore did nothing. */
export function isTooLate([code]: Reply | BatchReply): boolean {
  return code === TOO_LATE;
}

/**
 * Reads the store's time at which the script ran.
 *
 * @throws Error if the reply is malformed, for example because a proxy changed it
 */
export function readTime(reply: Reply | BatchReply): Millis {
  const numbers = Array.isArray(reply) ? reply.filter((each) => typeof each !== 'string') : [];
  if (!isReply(numbers)) throw createUnreadableError();
  return numbers[1];
}

/** Splits the reply to a batch into one reply per request, in order. An error concerns only its own request. */
export function readBatch([, , replies = '']: BatchReply): (Reply | Error)[] {
  return replies.split(';').map((text) => {
    if (text.startsWith('!')) return Object.assign(new Error(text.slice(1)), { name: 'ReplyError' });
    const numbers = text.split(' ').map(Number);
    return isReply(numbers) && OUTCOMES[numbers[0] >> 2] !== undefined ? numbers : createUnreadableError();
  });
}

function isReply(numbers: readonly number[]): numbers is Reply {
  return numbers.length > 1 && numbers.every(Number.isSafeInteger);
}

function createUnreadableError(): Error {
  return new Error('its reply is not in the expected format');
}

export function readDecision(reply: Reply, cost: number, limits: Limits): Decision {
  const [code, , , , , retryAt = 0, strikes = 0] = reply;
  const outcome = OUTCOMES[code >> 2] as Outcome;
  const admitted = (code & 2) !== 0;
  const usage = toUsage(readState(reply), limits, admitted || cost > limits.minute ? 1 : cost);
  return { ...usage, admitted, outcome, retryAt, strikes, banStarted: (code & 1) !== 0 };
}

export function readUsage(reply: Reply, limits: Limits): Usage {
  return toUsage(readState(reply), limits, 1);
}

export function readBan(reply: Reply): BanView | null {
  return toBanView(readState(reply));
}

function readState(reply: Reply): State {
  const [, seen, minuteStart = 0, minuteUsed = 0, dayUsed = 0, , , ...rest] = reply;
  const [banFrom = 0, banUntil = 0, banLevel = 0, banManual = 0] = rest.length >= BAN_FIELDS ? rest : [];
  const monthUsed = rest.length % BAN_FIELDS === 1 ? (rest.at(-1) ?? 0) : 0;
  return {
    ...initialState,
    seen,
    minuteStart,
    minuteUsed,
    dayStart: findStartOfDay(seen),
    dayUsed,
    banFrom,
    banUntil,
    banLevel,
    banManual: banManual === 1 ? 1 : 0,
    month: monthUsed === 0 ? null : { ...findMonth(seen), used: monthUsed, refusedAt: 0 },
  };
}
