import type { KeyStatus } from '../../../domain/credential.ts';
import { type CallErrorCode, errors } from '../../../domain/error-codes.ts';
import type { WindowName } from '../../../domain/quota-limits.ts';
import { pluralize } from '../../../base/text.ts';
import type { BanView, Usage } from '../../../data-plane/boundary-types.ts';
import {
  formatDateAndTime,
  type ExplanationInput,
  formatDuration,
  findFullWindows,
  isBanOver,
  findExplainer,
  describeLimit,
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
interface AnswerInput extends ExplanationInput {
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
export function writeCustomerAnswer(input: AnswerInput): string {
  const { facts } = input;
  const { why, ends, todo } = (ANSWER_WRITERS[facts.code] ?? writeGeneralAnswer)(input);
  return [writeOpening(input), why, ends, todo].filter((part) => part !== null).join('\n\n');
}

function writeOpening({ requestId, storedId, call, at, facts: { status, code } }: AnswerInput): string {
  const refused = `was refused with ${status} ${code}`;
  if (requestId === storedId)
    return `Your request ${call} at ${formatDateAndTime(at)} ${refused} (request id ${requestId}).`;
  return (
    `Your request with the id ${requestId} ${refused}, in the same minute and for the same reason as your request ${call} ` +
    `at ${formatDateAndTime(at)} (request id ${storedId}).`
  );
}

const ANSWER_WRITERS: Partial<Record<CallErrorCode, (input: AnswerInput) => Answer>> = {
  rate_limit_exceeded: writeLimitAnswer,
  quota_exceeded: writeLimitAnswer,
  key_banned: writeBanAnswer,
  cost_exceeds_limit: ({ facts: { cost, quota }, planName }) => ({
    why: `The request costs ${pluralize(cost, 'unit')}, and your plan ${planName} allows ${quota?.minute.limit ?? 'fewer'} per minute.`,
    ends: null,
    todo: 'What to do: waiting does not help. Ask us for a plan that allows more per minute.',
  }),
  key_expired: writeKeyAnswer,
  key_revoked: writeKeyAnswer,
  too_many_failed_attempts: (input) => ({
    why:
      input.subject === 'key'
        ? 'Your key was not valid, and too many attempts with an invalid key had come from the address of your client.'
        : `${nameSubject(input)} had no access, and too many attempts with an invalid key or token had come from the address of your client.`,
    ends: null,
    todo: adviseNewKey(input),
  }),
  store_unavailable: () => ({
    why: 'A part of our gateway was unavailable. The request did not count against your quota.',
    ends: null,
    todo: 'What to do: try again after the time in Retry-After.',
  }),
};

/** The subject of a sentence. A customer may have several callers, which have names that the customer knows. */
function nameSubject({ subject, keyName }: Pick<AnswerInput, 'subject' | 'keyName'>): string {
  return subject === 'key' ? 'Your key' : `The caller ${keyName}`;
}

/** The same within a sentence. */
function mentionSubject(input: Pick<AnswerInput, 'subject' | 'keyName'>): string {
  const name = nameSubject(input);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const PERIODS: Readonly<Record<WindowName, string>> = { minute: 'per minute', day: 'per day', month: 'per month' };

function writeLimitAnswer(input: AnswerInput): Answer {
  const { facts, planName } = input;
  const { quota, cost } = facts;
  const fullWindow = quota === null ? undefined : findFullWindows(quota, cost).at(-1);
  if (fullWindow === undefined) return writeGeneralAnswer(input);
  const { name, view } = fullWindow;
  const used =
    cost === 1
      ? `${nameSubject(input)} had used ${view.used} of the ${pluralize(view.limit, 'request')} ${PERIODS[name]} that your plan ${planName} allows.`
      : `The request costs ${cost} units, and ${mentionSubject(input)} had used ${view.used} of the ${pluralize(view.limit, 'unit')} ${PERIODS[name]} that your plan ${planName} allows.`;
  return {
    why: quota?.degraded === true ? `${used} For a while, we could only allow you a part of your limits.` : used,
    ends: formatEnd(input),
    todo: chooseTodo(
      input,
      'What to do: wait for the number of seconds in the header Retry-After before the next request, and ' +
        `${describeLimit(view.limit, cost)} ${PERIODS[name]}. If you need more, ask us for a plan with higher limits.`,
    ),
  };
}

function writeBanAnswer(input: AnswerInput): Answer {
  const ban = input.facts.quota?.ban ?? null;
  if (ban === null) return writeGeneralAnswer(input);
  const { from, until, manual } = ban;
  const bannedAt = formatDateAndTime(from);
  const cause = manual
    ? `We banned ${mentionSubject(input)} at ${bannedAt}.`
    : `${nameSubject(input)} was banned at ${bannedAt} for ${formatDuration(until - from)}, because your client kept sending requests ` +
      'without waiting for the time in the header Retry-After. Requests during a ban do not count against your quota, and do not prolong it.';
  const currentBan = findPresentBan(ban, input);
  const isManual = currentBan === null ? manual : currentBan.manual;
  const manualAdvice = currentBan === null ? adviseAfterManualBan(input) : DURING_MANUAL_BAN;
  return {
    why: `${cause}${describeEarlyEnd(input)}`,
    ends: formatEnd(input),
    todo: chooseTodo(input, isManual ? manualAdvice : BAN_ADVICE),
  };
}

const DURING_MANUAL_BAN = 'What to do: reply to this message. We can lift the ban once its cause is resolved.';
function adviseAfterManualBan(input: AnswerInput): string {
  return `What to do: if you want to know why we banned ${mentionSubject(input)}, reply to this message.`;
}
const BAN_ADVICE =
  'What to do: whenever a response has the header Retry-After, wait for that number of seconds before the next request. ' +
  'Clients that do so are never banned automatically.';

/**
 * Finds the ban that is active now, if there is one. It may differ from the given ban. If the counters cannot be read,
 * the given ban counts as active until its end.
 */
function findPresentBan(ban: BanView, input: AnswerInput): BanView | null {
  const { present } = input;
  if (present !== null && present.usage !== null) return present.usage.ban;
  return isBanOver(ban, input) ? null : ban;
}

function describeEarlyEnd({ facts: { banEnd } }: AnswerInput): string {
  if (banEnd === null) return '';
  const time = formatDateAndTime(banEnd.at);
  return banEnd.kind === 'lifted' ? ` We lifted the ban at ${time}.` : ` Another ban replaced it at ${time}.`;
}

function adviseNewKey({ subject }: AnswerInput): string {
  if (subject === 'caller') return 'What to do: reply to this message. We can give the caller access again.';
  return 'What to do: use the key that replaced yours, or ask us for a new one.';
}

function writeKeyAnswer(input: AnswerInput): Answer {
  const { facts, present, now } = input;
  const { keyStatus, expiresAt } = facts.more;
  const name = nameSubject(input);
  const works = input.subject === 'key' ? 'works' : 'has access';
  const wasActive = keyStatus === undefined || keyStatus === 'active';
  const expired =
    typeof expiresAt === 'number' ? `${name} expired at ${formatDateAndTime(expiresAt)}.` : `${name} had expired.`;
  const isWorking = present !== null && isUsable(present, now);
  const block = isWorking ? describeBlock(present, input, 1) : null;
  return {
    why: wasActive ? expired : `${name} was ${keyStatus}.`,
    ends: isWorking ? (block ?? `${name} ${works} again now.`) : null,
    todo: isWorking ? `What to do: send the request again${block === null ? '' : ' then'}.` : adviseNewKey(input),
  };
}

function isUsable({ status, expiresAt }: PresentKey, now: number): boolean {
  return status === 'active' && (expiresAt === null || expiresAt > now);
}

/** Returns the given advice, or the advice to get a new key if the key can no longer be used at all. */
function chooseTodo(input: AnswerInput, todo: string): string {
  const { present, now } = input;
  return present === null || isUsable(present, now) ? todo : adviseNewKey(input);
}

/** Uses the explanation for consumers, with "us" in place of "the operators of the API". */
function writeGeneralAnswer(input: AnswerInput): Answer {
  const sentences = findExplainer(input.facts.code)({ ...input, reader: 'consumer' }).filter((each) => each !== null);
  const advice = sentences.find((each) => each.startsWith('What to do: '));
  const [cause = errors[input.facts.code].message] = sentences;
  return {
    why: addressCustomer(cause),
    ends: null,
    todo: addressCustomer(advice ?? 'What to do: correct the request. If you need help, reply to this message.'),
  };
}

function addressCustomer(sentence: string): string {
  return sentence
    .replaceAll('the operators of the API', 'us')
    .replaceAll('The key', 'Your key')
    .replaceAll('the key', 'your key')
    .replaceAll('report the request id', 'send us its request id');
}

/** Describes when calls with the key are served again; null if that is not known. */
function formatEnd(input: AnswerInput): string | null {
  const { facts, present, now } = input;
  const block = present === null ? null : describeBlock(present, input, facts.cost);
  if (block !== null) return block;
  if (present !== null && present.usage !== null) return 'You can call again now.';
  const { freeAt } = facts;
  if (freeAt === null) return null;
  return `You ${now < freeAt ? 'can' : 'could'} call again from ${formatDateAndTime(freeAt)}.`;
}

/** Describes why calls with the key are refused now; null if no reason is known. */
function describeBlock(present: PresentKey, input: AnswerInput, cost: number): string | null {
  const { status, expiresAt, isEnforced, usage } = present;
  const { now } = input;
  const name = nameSubject(input);
  if (status !== 'active') return `${name} is ${status} now.`;
  if (expiresAt !== null && expiresAt <= now) return `${name} expired at ${formatDateAndTime(expiresAt)}.`;
  if (usage === null) return null;
  const fullWindow = isEnforced ? findFullWindows(usage, cost).at(-1) : undefined;
  const freeAt = Math.max(usage.ban?.until ?? 0, fullWindow?.view.resetAt ?? 0);
  if (usage.ban === null) return freeAt === 0 ? null : `You can call again from ${formatDateAndTime(freeAt)}.`;
  const ban = `${name} is banned until ${formatDateAndTime(usage.ban.until)}.`;
  return freeAt > usage.ban.until
    ? `${ban} You can call again from ${formatDateAndTime(freeAt)}, when its limit resets.`
    : ban;
}
