import { expect, test } from '@jest/globals';
import type { Event } from '../../api/events/events.ts';
import { foldEvents } from './event-runs.ts';

const event = (id: string, level: number, over: Partial<Event> = {}): Event => ({
  id,
  type: 'quota.threshold',
  subject: 'key_1',
  owner: 'acme',
  source: 'gateway',
  at: '2026-06-15T12:00:00Z',
  data: { keyId: 'key_1', window: 'minute', level },
  ...over,
});

const told = (events: readonly Event[]) =>
  foldEvents(events).map((run) => [run.event.id, run.isWarned, run.alike] as const);

test.each([
  ['newest first', ['full', 'near']],
  ['oldest first', ['near', 'full']],
])('the events for 80% and for all of a limit are one row, %s', (_, ids) => {
  const events = ids.map((id) => event(id, id === 'full' ? 100 : 80));
  expect(told(events)).toEqual([['full', true, 0]]);
});

test('the same limit of the same key is one row, with how often it was reached', () => {
  expect(told([event('c', 100), event('c80', 80), event('b', 100), event('b80', 80), event('a', 100)])).toEqual([
    ['c', true, 2],
  ]);
});

test.each([
  ['key', { data: { keyId: 'key_2', window: 'minute', level: 100 } }],
  ['window', { data: { keyId: 'key_1', window: 'day', level: 100 } }],
  ['day', { at: '2026-06-13T12:00:00Z' }],
  ['type of event', { type: 'key.banned' }],
])('events with another %s are separate rows', (_, over) => {
  expect(told([event('b', 100), event('a', 100, over)])).toHaveLength(2);
});
