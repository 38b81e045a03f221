import { expect, test } from '@jest/globals';
import { ReportTimeout } from '../../../../src/base/error-types.ts';
import type { UsageReport } from '../../../../src/control-plane/history/store/history-store.ts';
import {
  packError,
  packReport,
  unpackError,
  unpackReport,
} from '../../../../src/control-plane/history/worker/worker-messages.ts';

const figures = {
  requests: 9,
  units: 2 ** 53 - 1,
  refused: 1,
  errors: 0,
  clientErrors: 3,
  p50Ms: 0.0105,
  p95Ms: 30.5,
  p99Ms: null,
};

test('a report is the same after it was packed for another thread and unpacked, including nulls', () => {
  const point = (at: number) => ({ at, ...figures, requests: at + 1, p50Ms: at === 0 ? null : 1 / at });
  const report: UsageReport = {
    from: 0,
    to: 3,
    every: 'hour',
    countedSince: 1,
    series: [
      { group: 'key_a', totals: figures, points: [point(0), point(1), point(2)] },
      { group: null, totals: figures, points: [] },
    ],
    others: figures,
  };
  expect(unpackReport(structuredClone(packReport(report)))).toEqual(report);
});

test('a report that took too long is rejected outside the thread with the same error', () => {
  expect(unpackError(packError(new ReportTimeout()))).toBeInstanceOf(ReportTimeout);
});
