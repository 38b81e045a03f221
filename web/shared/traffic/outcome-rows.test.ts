import { expect, test } from '@jest/globals';
import { createOutcomeRows } from './outcome-rows.ts';
import type { UsageSeries } from './usage-history.ts';

const series = (group: string | null, requests: number, clientErrors = 0, errors = 0): UsageSeries => {
  const totals = { requests, clientErrors, errors, units: 0, refused: 0, p50Ms: 1, p95Ms: 1, p99Ms: 1 };
  return { group, totals, points: [] };
};
const report = { from: '', to: '', every: 'day', countedSince: null, others: null } as const;

test('what services answered with 4xx and 5xx does not count as served', () => {
  const rows = createOutcomeRows({ ...report, series: [series('served', 100, 30, 5), series('key_banned', 40)] });
  expect(rows).toEqual([
    { outcome: 'served', requests: 65 },
    { outcome: 'key_banned', requests: 40 },
    { outcome: 'client_error', requests: 30 },
    { outcome: 'server_error', requests: 5 },
  ]);
});

test('outcomes that no request had are left out', () => {
  expect(createOutcomeRows({ ...report, series: [series('served', 7, 7)] })).toEqual([
    { outcome: 'client_error', requests: 7 },
  ]);
});
