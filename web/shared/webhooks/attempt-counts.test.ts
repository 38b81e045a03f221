import { expect, test } from '@jest/globals';
import { countAttempts } from './attempt-counts.ts';
import type { Delivery } from './webhook.ts';

const NOW_MS = Date.parse('2026-11-20T14:30:40Z');

function delivery(...attempts: readonly (readonly [at: string, status: number | null])[]): Delivery {
  return {
    id: 'dlv_1',
    eventId: 'evt_1',
    type: 'key.created',
    status: 'pending',
    dueAt: null,
    createdAt: '2026-11-20T12:00:00Z',
    endedAt: null,
    attempts: attempts.map(([at, status], index) => ({
      number: index + 1,
      at,
      durationMs: 1,
      status,
      error: null,
      answer: null,
    })),
  };
}

test('attempts are counted by their result, in intervals that reach until now', () => {
  const deliveries = [
    delivery(['2026-11-20T14:26:00Z', 204]),
    delivery(['2026-11-20T14:20:10Z', 503], ['2026-11-20T14:26:30Z', null], ['2026-11-20T14:30:00Z', 200]),
  ];
  const counts = countAttempts(deliveries, NOW_MS);
  expect(counts?.stepMs).toBe(60_000);
  expect(counts?.at).toHaveLength(12);
  expect(counts?.firstMs).toBe(Date.parse('2026-11-20T14:20:10Z'));
  expect(counts?.at[0]).toBe(Date.parse('2026-11-20T14:19:00Z'));
  expect(counts?.delivered).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect(counts?.failed).toEqual([0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
});

test.each([
  ['2026-11-20T13:00:00Z', 5],
  ['2026-11-19T14:00:00Z', 60],
  ['2026-11-10T14:00:00Z', 360],
  ['2026-10-01T14:00:00Z', 1440],
])('attempts since %s are counted in intervals of %d minutes', (since, minutes) => {
  const counts = countAttempts([delivery([since, 200])], NOW_MS);
  expect(counts?.stepMs).toBe(minutes * 60_000);
  expect(counts?.at.at(-1)).toBeLessThanOrEqual(NOW_MS);
  expect(counts?.delivered.filter((count) => count > 0)).toEqual([1]);
});

test('an attempt by a gateway whose clock is ahead is in the last interval', () => {
  const counts = countAttempts([delivery(['2026-11-20T14:35:00Z', 200])], NOW_MS);
  expect(counts?.delivered.at(-1)).toBe(1);
});

test('there is nothing to count before the first attempt', () => {
  expect(countAttempts([delivery()], NOW_MS)).toBeNull();
});
