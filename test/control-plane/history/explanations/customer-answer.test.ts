import { expect, test } from '@jest/globals';
import { callErrors, type CallErrorCode } from '../../../../src/domain/error-codes.ts';
import {
  writeCustomerAnswer,
  type PresentKey,
} from '../../../../src/control-plane/history/explanations/customer-answer.ts';
import { readRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { BanEnd, RefusalFacts } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
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

function answerTo(
  some: Partial<RefusalFacts>,
  known: PresentKey | null,
  now = MUCH_LATER,
  banEnd: BanEnd | null = null,
): string[] {
  const read = readRefusal(found(some), {
    now,
    reader: 'operator',
    plans: new Map([['free', { name: 'Free' }]]),
    findBanEnd: () => banEnd,
  });
  return writeCustomerAnswer({ ...read, requestId: 'r1', storedId: 'r1', call: 'GET /pets', present: known }).split(
    '\n\n',
  );
}

test('the message to a customer says in the second person what happened, when it ends and what to do', () => {
  expect(answerTo({}, present)).toEqual([
    'Your request GET /pets at 2026-11-21 10:00:31 UTC was refused with 429 rate_limit_exceeded (request id r1).',
    'Your key had used 60 of the 60 requests per minute that your plan Free allows.',
    'You can call again now.',
    'What to do: wait for the number of seconds in the header Retry-After before the next request, and make at most 60 requests per minute. ' +
      'If you need more, ask us for a plan with higher limits.',
  ]);
});

test('the message says if the request repeated a refusal that was stored', () => {
  const read = readRefusal(found({}), { now: MUCH_LATER, reader: 'operator' });
  const answer = writeCustomerAnswer({ ...read, requestId: 'r2', storedId: 'r1', call: 'GET /pets', present });
  expect(answer.split('\n\n')[0]).toBe(
    'Your request with the id r2 was refused with 429 rate_limit_exceeded, in the same minute and for the same reason as ' +
      'your request GET /pets at 2026-11-21 10:00:31 UTC (request id r1).',
  );
});

test('the message about a request that costs several units counts in units', () => {
  const [, why, , todo] = answerTo({ cost: 5 }, present);
  expect(why).toBe(
    'The request costs 5 units, and your key had used 60 of the 60 units per minute that your plan Free allows.',
  );
  expect(todo).toMatch(/, and use at most 60 units per minute\. /);
});

test('the message about a manual ban does not give the reason, which is only in the audit log', () => {
  const some = { code: 'key_banned', quota: { ...quota, ban: { ...ban, manual: true } }, freeAt: ban.until } as const;
  expect(answerTo(some, null)[1]).toBe('We banned your key at 2026-11-21 10:00:00 UTC.');
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
])('the message describes the current state of the key: %s', (_, some, known, ends) => {
  expect(answerTo(some, known)[2]).toBe(ends);
});

const LIFTED: BanEnd = { kind: 'lifted', at: at('10:16:00'), actor: 'beth' };
const manual = { ...banned, quota: { ...quota, ban: { ...ban, manual: true } } } as const;
const bannedNow = (by: Partial<typeof ban>): PresentKey => {
  return { ...present, usage: { ...present.usage!, ban: { ...ban, ...by, from: at('11:30:00') } } };
};
const REPLY = 'What to do: reply to this message. We can lift the ban once its cause is resolved.';
const WHY = 'What to do: if you want to know why we banned your key, reply to this message.';

/** The reply once said that calls are possible again, and still offered to lift the ban. */
test.each<[string, Partial<RefusalFacts>, PresentKey | null, BanEnd | null, readonly unknown[]]>([
  [
    'a manual ban was lifted',
    manual,
    present,
    LIFTED,
    [
      'We banned your key at 2026-11-21 10:00:00 UTC. We lifted the ban at 2026-11-21 10:16:00 UTC.',
      'You can call again now.',
      WHY,
    ],
  ],
  [
    'a manual ban was lifted, and the counters cannot be read',
    manual,
    { ...present, usage: null },
    LIFTED,
    [
      'We banned your key at 2026-11-21 10:00:00 UTC. We lifted the ban at 2026-11-21 10:16:00 UTC.',
      'You could call again from 2026-11-21 10:16:00 UTC.',
      WHY,
    ],
  ],
  [
    'a manual ban is active',
    manual,
    bannedNow({ manual: true }),
    null,
    ['We banned your key at 2026-11-21 10:00:00 UTC.', 'Your key is banned until 2026-11-21 14:00:00 UTC.', REPLY],
  ],
  [
    'an automatic ban was lifted',
    banned,
    present,
    LIFTED,
    [
      expect.stringMatching(/do not prolong it\. We lifted the ban at 2026-11-21 10:16:00 UTC\.$/),
      'You can call again now.',
      expect.stringMatching(/^What to do: whenever a response has the header Retry-After/),
    ],
  ],
  [
    'an automatic ban was replaced by a manual one that is active',
    banned,
    bannedNow({ manual: true }),
    { kind: 'replaced', at: at('11:30:00'), actor: null },
    [
      expect.stringMatching(/ Another ban replaced it at 2026-11-21 11:30:00 UTC\.$/),
      'Your key is banned until 2026-11-21 14:00:00 UTC.',
      REPLY,
    ],
  ],
  [
    'an automatic ban was replaced, and the key is no longer known',
    banned,
    null,
    { kind: 'replaced', at: at('11:30:00'), actor: null },
    [
      expect.stringMatching(/ Another ban replaced it at 2026-11-21 11:30:00 UTC\.$/),
      expect.stringMatching(/^What to do: whenever/),
    ],
  ],
  [
    'a manual ban was lifted, and the key has been revoked',
    manual,
    { ...present, status: 'revoked' },
    LIFTED,
    [
      'We banned your key at 2026-11-21 10:00:00 UTC. We lifted the ban at 2026-11-21 10:16:00 UTC.',
      'Your key is revoked now.',
      'What to do: use the key that replaced yours, or ask us for a new one.',
    ],
  ],
])('the message about a ban does not contradict itself: %s', (_, some, known, banEnd, rest) => {
  expect(answerTo(some, known, MUCH_LATER, banEnd).slice(1)).toEqual(rest);
});

test('if the current state is unknown, the message has the reset time of the refusal in the right tense', () => {
  expect(answerTo({}, null, IN_BETWEEN)[2]).toBe('You can call again from 2026-11-21 10:01:03 UTC.');
  expect(answerTo({}, null)[2]).toBe('You could call again from 2026-11-21 10:01:03 UTC.');
});

test('the message says that a key works again if its expiry was extended', () => {
  const some = { ...undecided, code: 'key_expired', more: { expiresAt: at('09:00:00'), keyStatus: 'active' } } as const;
  expect(answerTo(some, present).slice(1)).toEqual([
    'Your key expired at 2026-11-21 09:00:00 UTC.',
    'Your key works again now.',
    'What to do: send the request again.',
  ]);
  const full = { ...present, usage: { ...present.usage!, day: window(1000, 1000, MIDNIGHT) } };
  expect(answerTo(some, full).slice(2)).toEqual([
    'You can call again from 2026-11-22 00:00:00 UTC.',
    'What to do: send the request again then.',
  ]);
  expect(answerTo(some, { ...present, expiresAt: at('09:00:00') }).at(-1)).toBe(
    'What to do: use the key that replaced yours, or ask us for a new one.',
  );
});

test.each(Object.keys(callErrors))(
  'the message about %s has a cause and advice, and addresses the customer',
  (code) => {
    for (const known of [present, null]) {
      const [opening, cause = '', ...rest] = answerTo({ ...undecided, code: code as CallErrorCode }, known);
      expect(opening).toMatch(/^Your request GET \/pets at .* \(request id r1\)\.$/);
      expect(cause).toMatch(/^[A-Z].*\.$/s);
      expect(rest.at(-1)).toMatch(/^What to do: .*\.$/);
      expect([cause, ...rest].join(' ')).not.toMatch(
        /operators of the API|[Tt]he key\b(?! that replaced)|audit|undefined|null/,
      );
    }
  },
);
