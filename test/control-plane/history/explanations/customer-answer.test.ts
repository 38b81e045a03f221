import { expect, test } from '@jest/globals';
import { callErrors, type CallErrorCode } from '../../../../src/base/error-codes.ts';
import { customerAnswer, type PresentKey } from '../../../../src/control-plane/history/explanations/customer-answer.ts';
import { readRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { RefusalFacts } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
import {
  admission,
  at,
  found,
  MIDNIGHT,
  MUCH_LATER,
  quota,
  undecided,
  window,
} from '../../../support/history/refusals.ts';

const IN_BETWEEN = at('10:00:40');
const free = { minute: window(60, 1, at('12:01:00')), day: window(1000, 401, MIDNIGHT) };
const usage = { ...free, now: MUCH_LATER, binding: 'minute', ban: null, degraded: false } as const;
const present: PresentKey = {
  status: 'active',
  expiresAt: null,
  isEnforced: true,
  usage: { ...usage, strikes: 0 } as never,
};
const ban = { from: at('10:00:00'), until: at('14:00:00'), level: 1, manual: false };

function answerTo(some: Partial<RefusalFacts>, known: PresentKey | null, now = MUCH_LATER): string[] {
  const read = readRefusal(found(some), now, 'operator', new Map([['free', { name: 'Free' }]]));
  return customerAnswer({ ...read, requestId: 'r1', call: 'GET /pets', present: known }).split('\n\n');
}

test('an answer says in the second person what happened, when it ends and what to do', () => {
  expect(answerTo({}, present)).toEqual([
    'Your request GET /pets at 2026-11-21 10:00:31 UTC was refused with 429 rate_limit_exceeded (request id r1).',
    'Your key had used 60 of the 60 requests per minute that your plan Free allows.',
    'You can call again now.',
    'What to do: wait for the number of seconds in the header Retry-After before the next request, and make at most 60 requests per minute. ' +
      'If you need more, ask us for a plan with higher limits.',
  ]);
});

test('an answer about a request that costs several units counts in units', () => {
  const [, why, , todo] = answerTo({ cost: 5 }, present);
  expect(why).toBe(
    'The request costs 5 units, and your key had used 60 of the 60 units per minute that your plan Free allows.',
  );
  expect(todo).toMatch(/, and use at most 60 units per minute\. /);
});

test('an answer about a manual ban does not give the reason, which is only in the audit log', () => {
  const some = { code: 'key_banned', quota: { ...quota, ban: { ...ban, manual: true } }, freeAt: ban.until } as const;
  expect(answerTo(some, null)[1]).toBe('We had banned your key at 2026-11-21 10:00:00 UTC.');
});

const banned = { code: 'key_banned', quota: { ...quota, ban }, admission, freeAt: ban.until } as const;

test.each<[string, Partial<RefusalFacts>, PresentKey | null, string | undefined]>([
  ['the ban has been lifted', banned, present, 'You can call again now.'],
  [
    'the ban is still active',
    banned,
    { ...present, usage: { ...present.usage!, ban } },
    'Your key is banned until 2026-11-21 14:00:00 UTC.',
  ],
  [
    'the ban ends before the exhausted day limit resets',
    banned,
    { ...present, usage: { ...present.usage!, ban, day: window(1000, 1000, MIDNIGHT) } },
    'Your key is banned until 2026-11-21 14:00:00 UTC. You can call again from 2026-11-22 00:00:00 UTC, when its limit resets.',
  ],
  [
    'the counters cannot be read',
    banned,
    { ...present, usage: null },
    'You can call again from 2026-11-21 14:00:00 UTC.',
  ],
  ['the key no longer exists', banned, null, 'You can call again from 2026-11-21 14:00:00 UTC.'],
  [
    'the key has been banned',
    {},
    { ...present, usage: { ...present.usage!, ban } },
    'Your key is banned until 2026-11-21 14:00:00 UTC.',
  ],
  [
    'the day limit is exhausted now',
    {},
    { ...present, usage: { ...present.usage!, day: window(1000, 1000, MIDNIGHT) } },
    'You can call again from 2026-11-22 00:00:00 UTC.',
  ],
  [
    'the plan is in shadow mode now',
    {},
    { ...present, isEnforced: false, usage: { ...present.usage!, day: window(1000, 1000, MIDNIGHT) } },
    'You can call again now.',
  ],
  ['the key is disabled now', {}, { ...present, status: 'disabled' }, 'Your key is disabled now.'],
  [
    'the key has expired',
    {},
    { ...present, expiresAt: at('11:00:00') },
    'Your key expired at 2026-11-21 11:00:00 UTC.',
  ],
])('the answer describes the current state: %s', (_, some, known, ends) => {
  expect(answerTo(some, known)[2]).toBe(ends);
});

test('if the current state is unknown, the reset time comes from the refusal, in the right tense', () => {
  expect(answerTo({}, null, IN_BETWEEN)[2]).toBe('You can call again from 2026-11-21 10:01:03 UTC.');
  expect(answerTo({}, null)[2]).toBe('You could call again from 2026-11-21 10:01:03 UTC.');
});

test('a key whose expiry was extended works again', () => {
  const some = { ...undecided, code: 'key_expired', more: { expiresAt: at('09:00:00'), keyStatus: 'active' } } as const;
  expect(answerTo(some, present).slice(1)).toEqual([
    'Your key expired at 2026-11-21 09:00:00 UTC.',
    'Your key works again now.',
    'What to do: send the request again.',
  ]);
  expect(answerTo(some, { ...present, expiresAt: at('09:00:00') }).at(-1)).toBe(
    'What to do: use the key that replaced yours, or ask us for a new one.',
  );
});

test.each(Object.keys(callErrors))('an answer to %s has a cause and advice, and addresses the customer', (code) => {
  for (const known of [present, null]) {
    const [opening, cause = '', ...rest] = answerTo({ ...undecided, code: code as CallErrorCode }, known);
    expect(opening).toMatch(/^Your request GET \/pets at .* \(request id r1\)\.$/);
    expect(cause).toMatch(/^[A-Z].*\.$/s);
    expect(rest.at(-1)).toMatch(/^What to do: .*\.$/);
    expect([cause, ...rest].join(' ')).not.toMatch(
      /operators of the API|[Tt]he key\b(?! that replaced)|audit|undefined|null/,
    );
  }
});
