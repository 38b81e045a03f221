import { expect, test } from '@jest/globals';
import { explain } from '../../../src/history/explain/explain.ts';
import type { FoundRefusal } from '../../../src/history/reports.ts';
import { at, facts, minutes, MUCH_LATER, REFUSED_AT, sentencesOf, undecided } from '../../support/history/refusals.ts';

test.each<[string, number, readonly FoundRefusal['minutes'][number][], string | undefined]>([
  ['not known while counts are on their way', at('10:01:14'), minutes, undefined],
  [
    'known so far',
    at('10:01:20'),
    minutes.slice(0, 3),
    'In that minute the key made 75 requests, 15 of them refused. ' +
      'Since then it made 200 requests, 140 of them refused.',
  ],
  [
    'a client that gave up',
    MUCH_LATER,
    [{ at: at('10:00:00'), requests: 1, refused: 1 }],
    'In that minute the key made 1 request, which was refused. In the 10 minutes after it made none.',
  ],
  [
    'a client that waited',
    MUCH_LATER,
    [
      { at: at('10:00:00'), requests: 61, refused: 1 },
      { at: at('10:01:00'), requests: 3, refused: 0 },
    ],
    'In that minute the key made 61 requests, 1 of them refused. ' +
      'In the 10 minutes after it made 3 requests, none refused.',
  ],
])('what the client did: %s', (_, now, around, sentence) => {
  const told = sentencesOf({}, { now, around: [...around] }).filter((each) => each.startsWith('In that minute'));
  expect(told).toEqual(sentence === undefined ? [] : [sentence]);
});

test('the same as data', () => {
  const refusal = { requestId: 'r1', quotaId: 'key_1', keyId: 'key_1', at: REFUSED_AT, facts: { ...facts }, minutes };
  expect(explain(refusal, MUCH_LATER).facts).toEqual({
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
    windows: [
      { name: 'minute', limit: 60, used: 60, remaining: 0, resetsAt: '2026-11-21T10:01:03.000Z' },
      { name: 'day', limit: 1000, used: 400, remaining: 600, resetsAt: '2026-11-22T00:00:00.000Z' },
    ],
    ban: null,
    degraded: false,
    freeAt: '2026-11-21T10:01:03.000Z',
    refusingSince: '2026-11-21T10:00:21.000Z',
    strikes: 3,
    strikesForBan: 10,
    strikesWithinMs: 300_000,
    banStarted: false,
    minutes: minutes.map((minute) => ({ ...minute, at: new Date(minute.at).toISOString() })),
  });
  const brownout = { from: at('10:00:00'), to: at('11:00:00') };
  const other = {
    ...facts,
    ...undecided,
    code: 'operation_brownout',
    quota: null,
    more: { sunsetAt: Date.parse('2027-12-31T00:00:00Z'), successor: '/pets?id={petId}', brownout },
  };
  expect(explain({ ...refusal, facts: other, minutes: [] }, MUCH_LATER).facts).toMatchObject({
    windows: null,
    sunsetAt: '2027-12-31T00:00:00.000Z',
    successor: '/pets?id={petId}',
    brownout: { from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T11:00:00.000Z' },
    minutes: [],
  });
});
