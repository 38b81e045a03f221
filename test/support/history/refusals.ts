import { errors, type ErrorCode } from '../../../src/base/errors.ts';
import type { QuotaFacts, RefusalFacts } from '../../../src/history/explain/facts.ts';
import { explain } from '../../../src/history/explain/explain.ts';
import type { FoundRefusal } from '../../../src/history/reports.ts';

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
  freeAt: at('10:01:03'),
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
  quota,
  admission,
  more: {},
};
export const minutes = [
  { at: at('09:59:00'), requests: 5, refused: 0 },
  { at: at('10:00:00'), requests: 75, refused: 15 },
  { at: at('10:01:00'), requests: 200, refused: 140 },
  { at: at('10:03:00'), requests: 14, refused: 10 },
  { at: at('10:11:00'), requests: 999, refused: 9 },
];

export function sentencesOf(
  some: Partial<RefusalFacts>,
  { now = MUCH_LATER, around = minutes } = {},
): readonly string[] {
  const code: ErrorCode = some.code ?? facts.code;
  const refusal: FoundRefusal = {
    requestId: 'r1',
    quotaId: 'key_1',
    keyId: 'key_1',
    at: REFUSED_AT,
    facts: { ...facts, ...some, code, status: errors[code].status },
    minutes: around,
  };
  return explain(refusal, now).sentences;
}

export const opening = (what: string, answer: string) =>
  `At 2026-11-21 10:00:31 UTC, ${what} was answered with ${answer}.`;
export const AFTER =
  'In that minute the key made 75 requests, 15 of them refused. ' +
  'In the 10 minutes after it made 214 requests, 150 of them refused.';
export const undecided = { retryAfterSeconds: null, admission: null };

export interface Case {
  readonly name: string;
  readonly some: Partial<RefusalFacts>;
  readonly sentences: readonly string[];
}
