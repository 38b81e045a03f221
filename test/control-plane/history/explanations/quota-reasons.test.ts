import { describe, expect, test } from '@jest/globals';
import { explainRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { BanEnd } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
import type { Reader } from '../../../../src/control-plane/history/explanations/refusal-reasons.ts';
import type { FoundRefusal } from '../../../../src/control-plane/history/store/history-store.ts';
import {
  admission,
  at,
  type Case,
  facts,
  found,
  MADE_IN_THE_MINUTE,
  MIDNIGHT,
  MUCH_LATER,
  opening,
  quota,
  REFUSED_AT,
  writeSentences,
  window,
} from '../../../support/history/refusals.ts';

const LIMIT_ADVICE =
  'What to do: wait for the time in Retry-After before the next request, and make at most 60 requests per minute. ' +
  'If you need more, use a plan with higher limits.';
const AFTER = `${MADE_IN_THE_MINUTE} From 10:01:00 to 10:11:00 it made 200 requests, 140 of them refused.`;
const SO_FAR = `${MADE_IN_THE_MINUTE} From 10:01:00 until now it made 200 requests, 140 of them refused.`;
const FREE = 'The key could be used again from 10:01:03 (Retry-After: 32 seconds).';
const STRIKES =
  'The key had 3 strikes, requests made without waiting for Retry-After. 10 strikes within 5 minutes lead to a ban.';
const AUTOMATIC_ADVICE =
  'What to do: make the client wait for the time in Retry-After whenever a response has this header: clients that do so are never ' +
  'banned automatically.';
const NO_EFFECT = 'Requests during a ban do not count against the quota and do not prolong the ban.';

const limits: readonly Case[] = [
  {
    name: 'a full minute',
    some: {},
    sentences: [
      opening('a call to listPets', '429 rate_limit_exceeded'),
      'The limit for the minute starting at 10:00:03 had been reached: 60 of 60 requests used (plan free).',
      'Requests had been refused since 10:00:21.',
      FREE,
      AFTER,
      STRIKES,
      LIMIT_ADVICE,
    ],
  },
  {
    name: 'the first refusal of a minute with too few units left, counted by one gateway alone',
    some: {
      cost: 5,
      quota: { ...quota, minute: window(60, 58, at('10:01:03')), degraded: true },
      admission: { ...admission, strikes: 0, refusingSince: REFUSED_AT },
    },
    sentences: [
      opening('a call to listPets', '429 rate_limit_exceeded'),
      'The limit for the minute starting at 10:00:03 left too few units: 58 of 60 units used, and the request costs 5 (plan free).',
      'This was the first refused request.',
      'The shared counters were unavailable: this gateway counted on its own, against its share of the limits.',
      FREE,
      AFTER,
      'The key had no strikes. 10 strikes within 5 minutes lead to a ban.',
      LIMIT_ADVICE.replace('make at most 60 requests', 'use at most 60 units'),
    ],
  },
  {
    name: 'a full month and a full day',
    some: {
      code: 'quota_exceeded',
      freeAt: Date.UTC(2026, 11, 1),
      retryAfterSeconds: 827_969,
      quota: {
        ...quota,
        minute: window(60, 3, at('10:01:03')),
        day: window(1000, 1000, MIDNIGHT),
        month: { ...window(5000, 5000, Date.UTC(2026, 11, 1)), startsAt: Date.UTC(2026, 10, 1) },
      },
    },
    sentences: [
      opening('a call to listPets', '429 quota_exceeded'),
      'The monthly limit had been reached: 5000 of 5000 requests used (plan free).',
      'The daily limit was reached, too.',
      'Requests had been refused since 10:00:21.',
      'The key can be used again from 2026-12-01 00:00:00 UTC (Retry-After: 10 days).',
      SO_FAR,
      STRIKES,
      LIMIT_ADVICE.replace('60 requests per minute', '5000 requests per month'),
    ],
  },
  {
    name: 'a full day and a full minute',
    some: {
      code: 'quota_exceeded',
      retryAfterSeconds: 50_369,
      quota: { ...quota, day: window(1000, 1000, MIDNIGHT) },
      freeAt: MIDNIGHT,
      admission: { ...admission, refusingSince: at('08:12:00'), strikes: 1 },
    },
    sentences: [
      opening('a call to listPets', '429 quota_exceeded'),
      'The daily limit had been reached: 1000 of 1000 requests used (plan free).',
      'The per-minute limit was reached, too.',
      'Requests had been refused since 08:12:00.',
      'The key can be used again from 2026-11-22 00:00:00 UTC (Retry-After: 14 hours).',
      SO_FAR,
      'The key had 1 strike, a request made without waiting for Retry-After. 10 strikes within 5 minutes lead to a ban.',
      'What to do: wait for the time in Retry-After before the next request, and make at most 1000 requests per day. ' +
        'If you need more, use a plan with higher limits.',
    ],
  },
  {
    name: 'a cost above the minute limit',
    some: { code: 'cost_exceeds_limit', cost: 100, retryAfterSeconds: null, freeAt: null },
    sentences: [
      opening('a call to listPets', '403 cost_exceeds_limit'),
      'The request costs 100 units, and plan free allows 60 per minute: waiting does not help. The request did not count against the quota.',
      'What to do: move the key to a plan that allows at least 100 per minute.',
    ],
  },
];

const ban = { from: REFUSED_AT, until: REFUSED_AT + 60_000, level: 1, manual: false };
const bans: readonly Case[] = [
  {
    name: 'the strike that starts a ban',
    some: {
      code: 'key_banned',
      retryAfterSeconds: 60,
      quota: { ...quota, ban },
      freeAt: ban.until,
      admission: { ...admission, strikes: 10, banStarted: true },
    },
    sentences: [
      opening('a call to listPets', '403 key_banned'),
      'The key was banned for 1 minute: it called 10 times within 5 minutes without waiting for Retry-After. This was the ' +
        'last of these calls.',
      NO_EFFECT,
      'The key could be used again from 10:01:31 (Retry-After: 1 minute).',
      AFTER,
      AUTOMATIC_ADVICE,
    ],
  },
  {
    name: 'a repeated ban that ends before the day resets',
    some: {
      code: 'key_banned',
      retryAfterSeconds: 50_369,
      quota: { ...quota, ban: { from: at('09:50:00'), until: at('10:05:00'), level: 3, manual: false } },
      freeAt: MIDNIGHT,
      admission: { ...admission, strikes: 0 },
    },
    sentences: [
      opening('a call to listPets', '403 key_banned'),
      'The key was banned at 09:50:00 for 15 minutes: it kept calling without waiting for Retry-After.',
      'This was consecutive ban number 3; bans get longer each time.',
      NO_EFFECT,
      'One of the limits was still exhausted when the ban ended.',
      'The key can be used again from 2026-11-22 00:00:00 UTC (Retry-After: 14 hours).',
      SO_FAR,
      AUTOMATIC_ADVICE,
    ],
  },
  {
    name: 'a manual ban',
    some: {
      code: 'key_banned',
      retryAfterSeconds: 86_369,
      quota: {
        ...quota,
        ban: { from: at('10:00:00'), until: MIDNIGHT + at('10:00:00') - at('00:00:00'), level: 0, manual: true },
      },
      freeAt: MIDNIGHT + at('10:00:00') - at('00:00:00'),
      admission: { ...admission, strikes: 0 },
    },
    sentences: [
      opening('a call to listPets', '403 key_banned'),
      'An operator banned the key at 10:00:00, until 2026-11-22 10:00:00 UTC. The audit log has the reason.',
      NO_EFFECT,
      'The key can be used again from 2026-11-22 10:00:00 UTC (Retry-After: 24 hours).',
      SO_FAR,
      'What to do: resolve the cause with the owner of the key, then lift the ban.',
    ],
  },
];

test.each([...limits, ...bans])('the explanation of a refusal has all sentences for $name', ({ some, sentences }) => {
  expect(writeSentences(some)).toEqual(sentences);
});

test.each([
  {
    name: 'a manual ban',
    some: bans.at(-1)!.some,
    sentences: [
      'An operator banned the key at 10:00:00, until 2026-11-22 10:00:00 UTC.',
      'What to do: ask the operators of the API for the reason. They can lift the ban.',
    ],
  },
  {
    name: 'a cost above the minute limit',
    some: limits.at(-1)!.some,
    sentences: ['What to do: ask the operators of the API for a plan that allows at least 100 per minute.'],
  },
])('the explanation for consumers names only what they can see and do: $name', ({ some, sentences }) => {
  const explanation = writeSentences(some, 'consumer');
  expect(explanation).toEqual(expect.arrayContaining(sentences));
  expect(explanation.join(' ')).not.toMatch(/audit|move the key|settle/);
});

describe('if a ban was ended early,', () => {
  const [started, repeated, byHand] = bans.map(({ some }) => some) as [Case['some'], Case['some'], Case['some']];
  const lifted: BanEnd = { kind: 'lifted', at: at('10:01:10'), actor: 'beth' };
  const replaced: BanEnd = { kind: 'replaced', at: at('10:01:10'), actor: null };
  const sentences = (some: Case['some'], banEnd: BanEnd, reader: Reader = 'operator') =>
    explainRefusal(found(some), { now: MUCH_LATER, reader, findBanEnd: () => banEnd }).sentences.slice(1);

  test('the explanation names the operator who lifted it', () => {
    expect(sentences(byHand, lifted)).toEqual([
      'An operator banned the key at 10:00:00, until 2026-11-22 10:00:00 UTC. The audit log has the reason.',
      NO_EFFECT,
      'beth lifted the ban at 10:01:10.',
      'The key could be used again from 10:01:10 (Retry-After: 24 hours).',
      SO_FAR,
      'What to do: nothing. The ban is over.',
    ]);
  });

  test('the explanation for consumers does not name the operator who lifted it', () => {
    const text = sentences(byHand, lifted, 'consumer').join(' ');
    expect(text).toContain('An operator lifted the ban at 10:01:10.');
    expect(text).not.toContain('beth');
    expect(text).not.toContain('They can lift the ban');
  });

  test('the explanation of an automatic ban says that it was lifted', () => {
    expect(sentences(started, lifted)).toEqual(
      expect.arrayContaining([
        'beth lifted the ban at 10:01:10.',
        'The key could be used again from 10:01:10 (Retry-After: 1 minute).',
        AUTOMATIC_ADVICE,
      ]),
    );
  });

  test('the explanation names the limit that is still exhausted', () => {
    const room = { ...quota, day: window(1000, 1000, MIDNIGHT), ban: repeated.quota!.ban };
    expect(sentences({ ...repeated, quota: room }, lifted)).toEqual(
      expect.arrayContaining([
        'beth lifted the ban at 10:01:10.',
        'One of the limits was still exhausted when the ban ended.',
        'The key can be used again from 2026-11-22 00:00:00 UTC (Retry-After: 14 hours).',
      ]),
    );
  });

  test('the explanation says that another ban replaced it', () => {
    const text = sentences(byHand, replaced).join(' ');
    expect(text).toContain('Another ban replaced it at 10:01:10.');
    expect(text).not.toContain('used again');
    expect(text).toContain('What to do: see whether the other ban is still active. You can lift it.');
  });

  test('the timeline and the facts have the early end too', () => {
    const { timeline, facts: data } = explainRefusal(found(byHand), {
      now: MUCH_LATER,
      reader: 'operator',
      findBanEnd: () => lifted,
    });
    expect(timeline.slice(-2)).toEqual([
      { at: '2026-11-21T10:01:10.000Z', event: 'ban_ends', text: 'An operator lifted the ban.' },
      { at: '2026-11-21T10:01:10.000Z', event: 'free', text: 'Calls were possible again.' },
    ]);
    expect(data).toMatchObject({ freeAt: '2026-11-21T10:01:10.000Z', ban: { endedAt: '2026-11-21T10:01:10.000Z' } });
  });
});

test('the explanation of a manual ban that has expired does not ask to lift it', () => {
  const afterIt = MIDNIGHT + 86_400_000;
  const { sentences } = explainRefusal(found(bans.at(-1)!.some), { now: afterIt, reader: 'operator' });
  expect(sentences.at(-1)).toBe('What to do: nothing. The ban is over.');
});

test('the explanation describes times in the future in the future tense', () => {
  expect(explainRefusal(found({}), { now: at('10:00:40'), reader: 'operator' }).sentences).toContain(
    'The key can be used again from 10:01:03 (Retry-After: 32 seconds).',
  );
});

describe('after the refusal,', () => {
  const strike = (time: string, strikes: number, banStarted = false) => {
    return { at: at(time), facts: { ...facts, admission: { ...admission, strikes, banStarted } } };
  };
  const later = (...refusals: FoundRefusal['later']) =>
    explainRefusal(found({}, { later: refusals }), { now: MUCH_LATER, reader: 'operator' }).sentences;

  test('more strikes of the client are reported', () => {
    expect(later(strike('10:00:33', 5), strike('10:00:35', 7))).toContain(
      'The client kept calling, and reached 7 strikes or more.',
    );
  });

  test('a ban of the client is reported', () => {
    const banned = { at: at('10:00:55'), facts: { ...facts, code: 'key_banned', admission: null } };
    expect(later(strike('10:00:33', 5), strike('10:00:52', 10, true), banned)).toContain(
      'The client kept calling: strike 10 at 10:00:52 started a ban.',
    );
  });

  test('nothing is reported if the client got no more strikes', () => {
    expect(later(strike('10:00:33', 3)).join(' ')).not.toContain('The client kept calling');
  });
});
