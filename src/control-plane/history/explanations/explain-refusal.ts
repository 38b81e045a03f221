import { listWindows } from '../../../domain/quota-limits.ts';
import { toDateTime } from '../../../base/time.ts';
import type { BanView, WindowView } from '../../../data-plane/boundary-types.ts';
import {
  type ExplanationInput,
  findFullWindows,
  type Reader,
  findExplainer,
  formatDateAndTime,
} from './refusal-reasons.ts';
import {
  type AdmissionFacts,
  type BanEnd,
  type MoreFacts,
  type QuotaFacts,
  type ReadFacts,
  type RefusalFacts,
  explanationWindowEnd,
} from './refusal-facts.ts';
import type { Key } from '../../registry/key.ts';
import { type TimelineStep, createTimeline } from './refusal-timeline.ts';
import type { FoundRefusal } from '../store/history-store.ts';

/** Objects with a name, by id. */
type NamedById = ReadonlyMap<string, { readonly name: string }>;

type KeysById = ReadonlyMap<string, Pick<Key, 'name'> & Partial<Pick<Key, 'token'>>>;

/** Facts that are not part of the refusal, and the reader of the explanation. */
export interface ExplanationContext {
  /** Ms since the Unix epoch. */
  readonly now: number;
  readonly reader: Reader;
  /** If a plan is missing here, its id is used as its name. */
  readonly plans?: NamedById;
  readonly keys?: KeysById;
  /** How a ban of this quota ended early. Null: it did not end early, or that is not known. */
  readonly findBanEnd?: (quotaId: string, ban: BanView) => BanEnd | null;
}

interface Explanation {
  /** Plain English: what was full and since when, what the client did, when the key works again, what to do. */
  readonly sentences: readonly string[];
  /** Events before and after the refusal; times are RFC 3339. */
  readonly timeline: readonly (Omit<TimelineStep, 'at'> & { readonly at: string })[];
  /** The same information as data. Times are RFC 3339. */
  readonly facts: object;
}

/**
 * Explains why a request was refused.
 *
 * @param refusal the refusal, with the counts of its key from around that time
 */
export function explainRefusal(refusal: FoundRefusal, context: ExplanationContext): Explanation {
  const explained = readRefusal(refusal, context);
  const { facts } = explained;
  const { method, operation, path, status, code } = facts;
  const call = operation === null ? `${method} ${path}` : `a call to ${operation}`;
  const opening = `At ${formatDateAndTime(refusal.at)}, ${call} was refused with ${status} ${code}.`;
  const reasons = findExplainer(code)(explained).filter((sentence) => sentence !== null);
  const timeline = createTimeline(explained).map((step) => ({ ...step, at: toDateTime(step.at) }));
  return { sentences: [opening, ...reasons], timeline, facts: toFactsJson(explained) };
}

/** Prepares the input for the sentences about a refusal. */
export function readRefusal(refusal: FoundRefusal, context: ExplanationContext): ExplanationInput {
  const { at, minutes, quotaId, keyId } = refusal;
  const { now, reader, plans, keys, findBanEnd: banEndOf = () => null } = context;
  const readStored = (stored: FoundRefusal['facts']) =>
    readFacts(toRefusalFacts(stored), (ban) => banEndOf(quotaId, ban));
  const facts = readStored(refusal.facts);
  const planName = plans?.get(facts.plan)?.name ?? facts.plan;
  const key = keys?.get(keyId);
  const keyName = key?.name ?? null;
  const subject = (key?.token ?? null) === null ? 'key' : 'caller';
  const later = refusal.later.map((each) => ({ at: each.at, facts: readStored(each.facts) }));
  // The counts in `minutes` were read up to this time.
  const until = explanationWindowEnd(at, toRefusalFacts(refusal.facts));
  return { facts, planName, keyName, subject, at, now, reader, minutes, until, later };
}

/** The cast is safe, because only this program writes the facts. */
export function toRefusalFacts(stored: FoundRefusal['facts']): RefusalFacts {
  return stored as unknown as RefusalFacts;
}

function readFacts(facts: RefusalFacts, findBanEnd: (ban: BanView) => BanEnd | null): ReadFacts {
  const { quota, cost, freeAt } = facts;
  const banEnd = quota === null || quota.ban === null ? null : findBanEnd(quota.ban);
  if (quota === null || banEnd === null || freeAt === null) return { ...facts, banEnd };
  // If another ban replaced this one, the end of that other ban is not known here.
  if (banEnd.kind === 'replaced') return { ...facts, banEnd, freeAt: null };
  return {
    ...facts,
    banEnd,
    freeAt: Math.max(banEnd.at, ...findFullWindows(quota, cost).map(({ view }) => view.resetAt)),
  };
}

function toFactsJson({ facts, minutes, later }: ExplanationInput) {
  const { quota, admission, more, freeAt, banEnd, ...rest } = facts;
  return {
    ...rest,
    freeAt: toDateTime(freeAt),
    ...toQuotaJson(quota, banEnd),
    ...toAdmissionJson(admission),
    ...toMoreJson(more),
    minutes: minutes.map((minute) => ({ ...minute, at: toDateTime(minute.at) })),
    later: later.map((each) => ({
      at: toDateTime(each.at),
      code: each.facts.code,
      strikes: each.facts.admission?.strikes ?? null,
    })),
  };
}

/** Describes the quota with the same fields as `/_gateway/usage`. */
function toQuotaJson(quota: QuotaFacts | null, banEnd: BanEnd | null) {
  if (quota === null) return { windows: null, ban: null, degraded: null };
  const { ban, degraded } = quota;
  const windows = listWindows<WindowView>(quota).map(({ name, view: { limit, used, remaining, resetAt } }) => {
    return { name, limit, used, remaining, resetsAt: toDateTime(resetAt) };
  });
  return { windows, ban: ban === null ? null : toBanJson(ban, banEnd), degraded };
}

/** `endedAt`: when the ban was lifted or replaced; null if it was neither. */
function toBanJson({ from, until, level, manual }: BanView, banEnd: BanEnd | null) {
  const endedAt = banEnd === null ? null : toDateTime(banEnd.at);
  return { from: toDateTime(from), until: toDateTime(until), endedAt, level, manual };
}

function toAdmissionJson(admission: AdmissionFacts | null) {
  if (admission === null) return {};
  const { refusingSince, ...strikes } = admission;
  return { ...strikes, refusingSince: toDateTime(refusingSince) };
}

function toMoreJson({ expiresAt, sunsetAt, brownout, ...rest }: MoreFacts) {
  return {
    ...rest,
    ...(expiresAt === undefined ? {} : { expiresAt: toDateTime(expiresAt) }),
    ...(sunsetAt === undefined ? {} : { sunsetAt: toDateTime(sunsetAt) }),
    ...(brownout === undefined ? {} : { brownout: { from: toDateTime(brownout.from), to: toDateTime(brownout.to) } }),
  };
}
