import { expect, test } from '@jest/globals';
import { explainRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { FoundRefusal } from '../../../../src/control-plane/history/store/history-store.ts';
import {
  MIDNIGHT,
  at,
  found,
  MADE_IN_THE_MINUTE,
  minutes,
  MUCH_LATER,
  undecided,
  facts,
} from '../../../support/history/refusals.ts';

test.each<[string, number, FoundRefusal['minutes'], string | undefined]>([
  ['unknown while counts are being written', at('10:01:14'), minutes, undefined],
  [
    'incomplete so far',
    at('10:01:20'),
    minutes,
    `${MADE_IN_THE_MINUTE} From 10:01:00 until now it made 200 requests, 140 of them refused.`,
  ],
  [
    'a client that gave up',
    MUCH_LATER,
    [{ at: at('10:00:00'), requests: 1, refused: 1 }],
    'From 10:00:00 to 10:01:00 the key made 1 request, which was refused. From 10:01:00 to 10:11:00 it made none.',
  ],
  [
    'a client that waited',
    MUCH_LATER,
    [
      { at: at('10:00:00'), requests: 61, refused: 1 },
      { at: at('10:01:00'), requests: 3, refused: 0 },
    ],
    'From 10:00:00 to 10:01:00 the key made 61 requests, 1 of them refused. ' +
      'From 10:01:00 to 10:11:00 it made 3 requests, none refused.',
  ],
  [
    'a client in a loop',
    MUCH_LATER,
    [
      { at: at('10:00:00'), requests: 1, refused: 0 },
      { at: at('10:01:00'), requests: 300, refused: 300 },
    ],
    'From 10:00:00 to 10:01:00 the key made 1 request, which was not refused. ' +
      'From 10:01:00 to 10:11:00 it made 300 requests, all refused.',
  ],
])('an explanation describes what the client did afterward: %s', (_, now, around, sentence) => {
  const { sentences } = explainRefusal(found({}, { minutes: around }), { now, reader: 'operator' });
  const described = sentences.filter((each) => each.startsWith('From 10:00:00'));
  expect(described).toEqual(sentence === undefined ? [] : [sentence]);
});

test('the description covers the time until the limit resets, at least ten minutes and at most a day', () => {
  const sentencesFor = (freeAt: number | null) =>
    explainRefusal(found({ freeAt }), { now: MUCH_LATER + 172_800_000, reader: 'operator' }).sentences.join(' ');
  expect(sentencesFor(null)).toContain('From 10:01:00 to 10:11:00 it');
  expect(sentencesFor(at('10:00:59'))).toContain('From 10:01:00 to 10:11:00 it');
  expect(sentencesFor(at('11:30:10'))).toContain('From 10:01:00 to 11:31:00 it');
  expect(sentencesFor(MIDNIGHT + 172_800_000)).toContain('From 10:01:00 to 2026-11-22 10:01:00 UTC it');
});

test('the facts of an explanation contain as data what its sentences say', () => {
  const later = [{ at: at('10:00:33'), facts: { ...facts } }];
  expect(explainRefusal(found({}, { later }), { now: MUCH_LATER, reader: 'operator' }).facts).toEqual({
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
    later: [{ at: '2026-11-21T10:00:33.000Z', code: 'rate_limit_exceeded', strikes: 3 }],
  });
  const brownout = { from: at('10:00:00'), to: at('11:00:00') };
  const more = { sunsetAt: Date.parse('2027-12-31T00:00:00Z'), successor: '/pets?id={petId}', brownout };
  const other = found({ ...undecided, code: 'operation_brownout', quota: null, more }, { minutes: [] });
  expect(explainRefusal(other, { now: MUCH_LATER, reader: 'operator' }).facts).toMatchObject({
    windows: null,
    sunsetAt: '2027-12-31T00:00:00.000Z',
    successor: '/pets?id={petId}',
    brownout: { from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T11:00:00.000Z' },
    minutes: [],
    later: [],
  });
});
