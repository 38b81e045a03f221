import { expect, test } from '@jest/globals';
import type { QuotaUsage } from '../api/usage.ts';
import { findFullestWindow, sortFullestFirst } from './quotas.ts';

const resetsAt = '2026-11-30T00:00:00.000Z';
const createQuota = (
  quotaId: string,
  minuteUsed: number,
  dayUsed: number,
  ban: QuotaUsage['ban'] = null,
): QuotaUsage => ({
  quotaId,
  keys: [],
  plan: 'free',
  planName: 'Free',
  ban,
  windows: [
    { name: 'minute', limit: 60, used: minuteUsed, remaining: 60 - minuteUsed, resetsAt },
    { name: 'day', limit: 1000, used: dayUsed, remaining: 1000 - dayUsed, resetsAt },
  ],
});

test('a quota is as full as its fullest window, whichever that is', () => {
  expect(findFullestWindow(createQuota('a', 6, 99))?.name).toBe('minute');
  expect(findFullestWindow(createQuota('a', 6, 101))?.name).toBe('day');
});

test('banned quotas come first, then the fullest, and equals stay in their order', () => {
  const ban = { from: resetsAt, until: resetsAt, level: 1, manual: true, reason: null, message: null };
  const quotas = [
    createQuota('idle', 0, 0),
    createQuota('also idle', 0, 0),
    createQuota('day', 0, 500),
    createQuota('minute', 59, 1),
    createQuota('banned', 0, 0, ban),
  ];
  expect(sortFullestFirst(quotas).map(({ quotaId }) => quotaId)).toEqual([
    'banned',
    'minute',
    'day',
    'idle',
    'also idle',
  ]);
});
