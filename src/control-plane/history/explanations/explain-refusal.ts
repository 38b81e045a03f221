import { windowsOf } from '../../../base/quota-limits.ts';
import { toDateTime } from '../../../base/time.ts';
import type { WindowView } from '../../../data-plane/boundary-types.ts';
import { type Explained, type Reader, reasonFor, dateAndTime } from './refusal-reasons.ts';
import {
  type AdmissionFacts,
  type MoreFacts,
  type QuotaFacts,
  type RefusalFacts,
  explanationWindowEnd,
} from './refusal-facts.ts';
import { type TimelineStep, timelineOf } from './refusal-timeline.ts';
import type { FoundRefusal } from '../store/history-store.ts';

/** By id. */
export type NamedPlans = ReadonlyMap<string, { readonly name: string }>;

export interface Explanation {
  /** Plain English: what was full and since when, what the client did, when it is free again, what to do. */
  readonly sentences: readonly string[];
  /** What led to it and followed it; times are RFC 3339. */
  readonly timeline: readonly (Omit<TimelineStep, 'at'> & { readonly at: string })[];
  /** The same as data; times are RFC 3339. */
  readonly facts: object;
}

/**
 * Tells why a request was refused.
 *
 * @param refusal with the counts of its key around it
 * @param now ms since the Unix epoch
 * @param plans one that is not among them is called by its id
 */
export function explain(
  refusal: FoundRefusal,
  now: number,
  reader: Reader,
  plans: NamedPlans = new Map(),
): Explanation {
  const explained = readRefusal(refusal, now, reader, plans);
  const { facts } = explained;
  const { method, operation, path, status, code } = facts;
  const call = operation === null ? `${method} ${path}` : `a call to ${operation}`;
  const opening = `At ${dateAndTime(refusal.at)}, ${call} was refused with ${status} ${code}.`;
  const reasons = reasonFor(code)(explained).filter((sentence) => sentence !== null);
  const timeline = timelineOf(explained).map((step) => ({ ...step, at: toDateTime(step.at) }));
  return { sentences: [opening, ...reasons], timeline, facts: factsJson(explained) };
}

/** The input of the sentences about a refusal. */
export function readRefusal(
  { at, minutes, ...found }: FoundRefusal,
  now: number,
  reader: Reader,
  plans: NamedPlans,
): Explained {
  const facts = readFacts(found.facts);
  const planName = plans.get(facts.plan)?.name ?? facts.plan;
  const later = found.later.map((each) => ({ at: each.at, facts: readFacts(each.facts) }));
  return { facts, planName, at, now, reader, minutes, until: explanationWindowEnd(at, facts), later };
}

/** Only this program writes them. */
function readFacts(kept: FoundRefusal['facts']): RefusalFacts {
  return kept as unknown as RefusalFacts;
}

function factsJson({ facts, minutes, later }: Explained) {
  const { quota, admission, more, freeAt, ...rest } = facts;
  return {
    ...rest,
    freeAt: toDateTime(freeAt),
    ...quotaJson(quota),
    ...admissionJson(admission),
    ...moreJson(more),
    minutes: minutes.map((minute) => ({ ...minute, at: toDateTime(minute.at) })),
    later: later.map((each) => ({
      at: toDateTime(each.at),
      code: each.facts.code,
      strikes: each.facts.admission?.strikes ?? null,
    })),
  };
}

/** In the terms of `/_gateway/usage`. */
function quotaJson(quota: QuotaFacts | null) {
  if (quota === null) return { windows: null, ban: null, degraded: null };
  const { ban, degraded } = quota;
  const windows = windowsOf<WindowView>(quota).map(({ name, view: { limit, used, remaining, resetAt } }) => {
    return { name, limit, used, remaining, resetsAt: toDateTime(resetAt) };
  });
  return {
    windows,
    ban: ban === null ? null : { ...ban, from: toDateTime(ban.from), until: toDateTime(ban.until) },
    degraded,
  };
}

function admissionJson(admission: AdmissionFacts | null) {
  if (admission === null) return {};
  const { refusingSince, ...strikes } = admission;
  return { ...strikes, refusingSince: toDateTime(refusingSince) };
}

function moreJson({ expiresAt, sunsetAt, brownout, ...rest }: MoreFacts) {
  return {
    ...rest,
    ...(expiresAt === undefined ? {} : { expiresAt: toDateTime(expiresAt) }),
    ...(sunsetAt === undefined ? {} : { sunsetAt: toDateTime(sunsetAt) }),
    ...(brownout === undefined ? {} : { brownout: { from: toDateTime(brownout.from), to: toDateTime(brownout.to) } }),
  };
}
