import { errors } from '../../../src/domain/error-codes.ts';
import type { QuotaFacts, RefusalFacts } from '../../../src/control-plane/history/explanations/refusal-facts.ts';
import { explainRefusal } from '../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { Reader } from '../../../src/control-plane/history/explanations/refusal-reasons.ts';
import type { FoundRefusal } from '../../../src/control-plane/history/store/history-store.ts';

export const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
export const MIDNIGHT = Date.parse('2026-11-22T00:00:00Z');
export const REFUSED_AT = at('10:00:31.250');
export const MUCH_LATER = at('12:00:00');

export const window = (limit: number, used: number, resetAt: number) => {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt };
};
export const quota: QuotaFacts = {
  minute: window(60, 60, at('10:01:03')),
  day: window(1000, 400, MIDNIGHT),
  ban: null,
  degraded: false,
};
export const admission = {
  refusingSince: at('10:00:21'),
  strikes: 3,
  strikesForBan: 10,
  strikesWithinMs: 300_000,
  banStarted: false,
};
export const facts: RefusalFacts = {
  code: 'rate_limit_exceeded',
  status: 429,
  retryAfterSeconds: 32,
  method: 'GET',
  operation: 'listPets',
  path: null,
  plan: 'free',
  cost: 1,
  charged: 0,
  durationMs: 2,
  freeAt: at('10:01:03'),
  quota,
  admission,
  more: {},
};
export const minutes = [
  { at: at('10:00:00'), requests: 75, refused: 15 },
  { at: at('10:01:00'), requests: 200, refused: 140 },
];

export function found(some: Partial<RefusalFacts>, more: Partial<FoundRefusal> = {}): FoundRefusal {
  const code = some.code ?? facts.code;
  const ids = { requestId: 'r1', quotaId: 'key_1', keyId: 'key_1' };
  const whole = { ...facts, ...some, code, status: some.status ?? errors[code].status };
  return { ...ids, at: REFUSED_AT, facts: whole, minutes, later: [], ...more };
}

export function writeSentences(some: Partial<RefusalFacts>, reader: Reader = 'operator'): readonly string[] {
  return explainRefusal(found(some), { now: MUCH_LATER, reader }).sentences;
}

export const opening = (what: string, response: string) =>
  `At 2026-11-21 10:00:31 UTC, ${what} was refused with ${response}.`;
export const MADE_IN_THE_MINUTE = 'From 10:00:00 to 10:01:00 the key made 75 requests, 15 of them refused.';
export const undecided = { retryAfterSeconds: null, freeAt: null, admission: null };

export interface Case {
  readonly name: string;
  readonly some: Partial<RefusalFacts>;
  readonly sentences: readonly string[];
}
