import type { KeyStatus } from '../../../domain/credential.ts';
import { type CallErrorCode, errors } from '../../../domain/error-codes.ts';
import type { WindowName } from '../../../domain/quota-limits.ts';
import type { BanView, Usage } from '../../../data-plane/boundary-types.ts';
import {
  dateAndTime,
  type Explained,
  formatDuration,
  fullWindows,
  isBanOver,
  pluralize,
  reasonFor,
  stayWithin,
} from './refusal-reasons.ts';

/**
 * The state of the key when the answer is written. Since the refusal, a ban may have been lifted or a plan may have
 * changed.
 */
export interface PresentKey {
  readonly status: KeyStatus;
  /** Ms since the Unix epoch. */
  readonly expiresAt: number | null;
  /** Whether the key's plan refuses requests above the limits. */
  readonly isEnforced: boolean;
  /** Null: the counters could not be read. */
  readonly usage: Usage | null;
}

/** Input for an answer to a customer. */
interface Asked extends Explained {
  /** The id that the customer asked about. */
  readonly requestId: string;
  /** The id of the stored refusal. It differs from `requestId` if the request only repeated that refusal. */
  readonly storedId: string;
  /** Method and path. */
  readonly call: string;
  /** Null: the present state is not known. */
  readonly present: PresentKey | null;
}

interface Answer {
  readonly why: string;
  /** When the key works again. Null: unknown, or waiting does not help. */
  readonly ends: string | null;
  readonly todo: string;
}

/**
 * Writes a text for a customer who asks why a request was refused. It gives the cause, when the key works again, and
 * what to do.
 */
export function customerAnswer(asked: Asked): string {
  const { facts } = asked;
  const { why, ends, todo } = (ANSWERS[facts.code] ?? generalAnswer)(asked);
  return [opening(asked), why, ends, todo].filter((part) => part !== null).join('\n\n');
}

function opening({ requestId, storedId, call, at, facts: { status, code } }: Asked): string {
  const refused = `was refused with ${status} ${code}`;
  if (requestId === storedId) return `Your request ${call} at ${dateAndTime(at)} ${refused} (request id ${requestId}).`;
  return (
    `Your request with the id ${requestId} ${refused}, in the same minute and for the same reason as your request ${call} ` +
    `at ${dateAndTime(at)} (request id ${storedId}).`
  );
}

const ANSWERS: Partial<Record<CallErrorCode, (asked: Asked) => Answer>> = {
  rate_limit_exceeded: limitAnswer,
  quota_exceeded: limitAnswer,
  key_banned: banAnswer,
  cost_exceeds_limit: ({ facts: { cost, quota }, planName }) => ({
    why: `The request costs ${pluralize(cost, 'unit')}, and your plan ${planName} allows ${quota?.minute.limit ?? 'fewer'} per minute.`,
    ends: null,
    todo: 'What to do: waiting does not help. Ask us for a plan that allows more per minute.',
  }),
  key_expired: keyAnswer,
  key_revoked: keyAnswer,
  too_many_failed_attempts: () => ({
    why: 'Your key was not valid, and too many attempts with an invalid key had come from the address of your client.',
    ends: null,
    todo: NEW_KEY,
  }),
  store_unavailable: () => ({
    why: 'A part of our gateway was unavailable. The request did not count against your quota.',
    ends: null,
    todo: 'What to do: try again after the time in Retry-After.',
  }),
};

const PERIODS: Readonly<Record<WindowName, string>> = { minute: 'per minute', day: 'per day', month: 'per month' };

function limitAnswer(asked: Asked): Answer {
  const { facts, planName } = asked;
  const { quota, cost } = facts;
  const full = quota === null ? undefined : fullWindows(quota, cost).at(-1);
  if (full === undefined) return generalAnswer(asked);
  const { name, view } = full;
  const used =
    cost === 1
      ? `Your key had used ${view.used} of the ${pluralize(view.limit, 'request')} ${PERIODS[name]} that your plan ${planName} allows.`
      : `The request costs ${cost} units, and your key had used ${view.used} of the ${pluralize(view.limit, 'unit')} ${PERIODS[name]} that your plan ${planName} allows.`;
  return {
    why: quota?.degraded === true ? `${used} For a while, we could only allow you a part of your limits.` : used,
    ends: formatEnd(asked),
    todo: todoWith(
      asked,
      'What to do: wait for the number of seconds in the header Retry-After before the next request, and ' +
        `${stayWithin(view.limit, cost)} ${PERIODS[name]}. If you need more, ask us for a plan with higher limits.`,
    ),
  };
}

function banAnswer(asked: Asked): Answer {
  const ban = asked.facts.quota?.ban ?? null;
  if (ban === null) return generalAnswer(asked);
  const { from, until, manual } = ban;
  const began = dateAndTime(from);
  const cause = manual
    ? `We had banned your key at ${began}.`
    : `Your key was banned at ${began} for ${formatDuration(until - from)}, because your client kept sending requests ` +
      'without waiting for the time in the header Retry-After. Requests during a ban do not count against your quota, and do not prolong it.';
  const present = presentBan(ban, asked);
  const isManual = present === null ? manual : present.manual;
  const byHand = present === null ? AFTER_BAN_BY_HAND : DURING_BAN_BY_HAND;
  return {
    why: `${cause}${earlyEnd(asked)}`,
    ends: formatEnd(asked),
    todo: todoWith(asked, isManual ? byHand : TO_AVOID_BANS),
  };
}

const DURING_BAN_BY_HAND = 'What to do: reply to this message. We can lift the ban once its cause is resolved.';
const AFTER_BAN_BY_HAND = 'What to do: if you want to know why we banned your key, reply to this message.';
const TO_AVOID_BANS =
  'What to do: whenever a response has the header Retry-After, wait for that number of seconds before the next request. ' +
  'Clients that do so are never banned automatically.';

/**
 * Finds the ban that is active now, if there is one. It may differ from the given ban. If the counters cannot be read,
 * the given ban counts as active until its end.
 */
function presentBan(ban: BanView, asked: Asked): BanView | null {
  const { present } = asked;
  if (present !== null && present.usage !== null) return present.usage.ban;
  return isBanOver(ban, asked) ? null : ban;
}

function earlyEnd({ facts: { banEnd } }: Asked): string {
  if (banEnd === null) return '';
  const time = dateAndTime(banEnd.at);
  return banEnd.kind === 'lifted' ? ` We lifted the ban at ${time}.` : ` Another ban replaced it at ${time}.`;
}

const NEW_KEY = 'What to do: use the key that replaced yours, or ask us for a new one.';

function keyAnswer(asked: Asked): Answer {
  const { facts, present, now } = asked;
  const { keyStatus, expiresAt } = facts.more;
  const wasActive = keyStatus === undefined || keyStatus === 'active';
  const expired =
    typeof expiresAt === 'number' ? `Your key expired at ${dateAndTime(expiresAt)}.` : 'Your key had expired.';
  const works = present !== null && isUsable(present, now);
  const block = works ? describeBlock(present, now) : null;
  return {
    why: wasActive ? expired : `Your key was ${keyStatus}.`,
    ends: works ? (block ?? 'Your key works again now.') : null,
    todo: works ? `What to do: send the request again${block === null ? '' : ' then'}.` : NEW_KEY,
  };
}

function isUsable({ status, expiresAt }: PresentKey, now: number): boolean {
  return status === 'active' && (expiresAt === null || expiresAt > now);
}

/** Returns the given advice, or the advice to get a new key if the key can no longer be used at all. */
function todoWith({ present, now }: Asked, todo: string): string {
  return present === null || isUsable(present, now) ? todo : NEW_KEY;
}

/** Uses the explanation for consumers, with "us" in place of "the operators of the API". */
function generalAnswer(asked: Asked): Answer {
  const sentences = reasonFor(asked.facts.code)({ ...asked, reader: 'consumer' }).filter((each) => each !== null);
  const advice = sentences.find((each) => each.startsWith('What to do: '));
  const [cause = errors[asked.facts.code].message] = sentences;
  return {
    why: addressed(cause),
    ends: null,
    todo: addressed(advice ?? 'What to do: correct the request. If you need help, reply to this message.'),
  };
}

function addressed(sentence: string): string {
  return sentence
    .replaceAll('the operators of the API', 'us')
    .replaceAll('The key', 'Your key')
    .replaceAll('the key', 'your key')
    .replaceAll('report the request id', 'send us its request id');
}

/** Describes when calls with the key are served again; null if that is not known. */
function formatEnd({ facts, present, now }: Asked): string | null {
  const block = present === null ? null : describeBlock(present, now, facts.cost);
  if (block !== null) return block;
  if (present !== null && present.usage !== null) return 'You can call again now.';
  const { freeAt } = facts;
  if (freeAt === null) return null;
  return `You ${now < freeAt ? 'can' : 'could'} call again from ${dateAndTime(freeAt)}.`;
}

/** Describes why calls with the key are refused now; null if no reason is known. */
function describeBlock({ status, expiresAt, isEnforced, usage }: PresentKey, now: number, cost = 1): string | null {
  if (status !== 'active') return `Your key is ${status} now.`;
  if (expiresAt !== null && expiresAt <= now) return `Your key expired at ${dateAndTime(expiresAt)}.`;
  if (usage === null) return null;
  const full = isEnforced ? fullWindows(usage, cost).at(-1) : undefined;
  const freeAt = Math.max(usage.ban?.until ?? 0, full?.view.resetAt ?? 0);
  if (usage.ban === null) return freeAt === 0 ? null : `You can call again from ${dateAndTime(freeAt)}.`;
  const ban = `Your key is banned until ${dateAndTime(usage.ban.until)}.`;
  return freeAt > usage.ban.until
    ? `${ban} You can call again from ${dateAndTime(freeAt)}, when its limit resets.`
    : ban;
}
