/**
 * A caller with access tokens has no key, so neither the explanation of a refusal nor the reply for the customer may
 * mention a key.
 */
import { expect, test } from '@jest/globals';
import { callErrors, callerMessages, type CallErrorCode } from '../../../../src/domain/error-codes.ts';
import {
  writeCustomerAnswer,
  type PresentKey,
} from '../../../../src/control-plane/history/explanations/customer-answer.ts';
import { explainRefusal, readRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { MoreFacts, RefusalFacts } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
import { at, facts, found, MIDNIGHT, MUCH_LATER, quota, window } from '../../../support/history/refusals.ts';

const token = { name: 'corp', issuer: 'https://login.example.com', claim: 'azp', caller: 'app-1' };
const keys = new Map([['key_1', { name: 'app-1', token }]]);

/** Codes that a refused caller never gets, because they are about a presented key, or the caller is not known yet. */
const NEVER: ReadonlySet<string> = new Set(['key_ambiguous', 'key_missing', 'key_invalid', 'request_not_found']);
const codes = (Object.keys(callErrors) as CallErrorCode[]).filter((code) => !NEVER.has(code));
const ban = { from: at('10:00:00'), until: at('14:00:00'), level: 1, manual: false };
const MORE: readonly MoreFacts[] = [
  {},
  { excludedBy: ['plan', 'key'], keyStatus: 'revoked', expiresAt: null, address: '192.0.2.7', concurrent: 2 },
  { excludedBy: ['key'], expiresAt: at('09:00:00') },
];

/** Lists the refusals with this code that have different sentences. */
function listRefusals(code: CallErrorCode): Partial<RefusalFacts>[] {
  const bans = code === 'key_banned' ? [ban, { ...ban, manual: true }] : [null];
  return MORE.flatMap((more) =>
    bans.flatMap((each) => [1, 5].map((cost) => ({ ...facts, code, more, cost, quota: { ...quota, ban: each } }))),
  );
}

const free = { minute: window(60, 1, at('12:01:00')), day: window(1000, 401, MIDNIGHT) };
const usage = { ...free, now: MUCH_LATER, binding: 'minute', ban: null, degraded: false, strikes: 0 } as const;
const active: PresentKey = { status: 'active', expiresAt: null, isEnforced: true, usage };
const PRESENT: readonly (PresentKey | null)[] = [
  null,
  active,
  { ...active, status: 'revoked' },
  { ...active, expiresAt: at('11:00:00') },
  { ...active, usage: { ...usage, ban } },
];

const SPEAKS_OF_A_KEY = /\b(?:the|your|api|this) key\b(?! or )/i;

test.each(codes)('explanations of %s to callers with access tokens do not speak of a key', (code) => {
  const texts = listRefusals(code).flatMap((some) => {
    const refusal = found(some);
    const explanations = (['operator', 'consumer'] as const).map((reader) =>
      explainRefusal(refusal, { now: MUCH_LATER, reader, keys }),
    );
    const read = readRefusal(refusal, { now: MUCH_LATER, reader: 'operator', keys });
    const ids = { requestId: 'r1', storedId: 'r1', call: 'GET /pets' };
    return [
      ...explanations.flatMap(({ sentences, timeline }) => [...sentences, ...timeline.map(({ text }) => text)]),
      ...PRESENT.map((present) => writeCustomerAnswer({ ...read, ...ids, present })),
    ];
  });
  expect(texts.filter((text) => SPEAKS_OF_A_KEY.test(text))).toEqual([]);
});

test('the message to the customer names the caller, and says that only the operators can help', () => {
  const response = (some: Partial<RefusalFacts>, present: PresentKey | null = active) => {
    const read = readRefusal(found(some), { now: MUCH_LATER, reader: 'operator', keys });
    const ids = { requestId: 'r1', storedId: 'r1', call: 'GET /pets' };
    return writeCustomerAnswer({ ...read, ...ids, present })
      .split('\n\n')
      .slice(1);
  };
  expect(response({})[0]).toBe(
    'The caller app-1 had used 60 of the 60 requests per minute that your plan free allows.',
  );
  expect(response({ code: 'key_revoked', more: { keyStatus: 'disabled', expiresAt: null } }, null)).toEqual([
    'The caller app-1 was disabled.',
    'What to do: reply to this message. We can give the caller access again.',
  ]);
  expect(response({ code: 'key_revoked', more: { keyStatus: 'disabled', expiresAt: null } })).toEqual([
    'The caller app-1 was disabled.',
    'The caller app-1 has access again now.',
    'What to do: send the request again.',
  ]);
});

test('error messages for callers with access tokens do not speak of a key', () => {
  const aboutKeys = codes.filter((code) => SPEAKS_OF_A_KEY.test(callerMessages[code] ?? callErrors[code].message));
  expect(aboutKeys).toEqual([]);
});
