import type { Period } from './period.ts';
import type { UsageHistory } from './usage-history.ts';

/**
 * A report and the period that was requested. It stays visible, and names its period, while a report for another period
 * is loading.
 */
export interface HistoryOfPeriod extends UsageHistory {
  readonly period: Period;
  /** The time at which the report was loaded, in ms since the Unix epoch. */
  readonly readAtMs: number;
}

export async function withPeriod(period: Period, read: Promise<UsageHistory>): Promise<HistoryOfPeriod> {
  return { ...(await read), period, readAtMs: Date.now() };
}

interface QueryWithKey {
  readonly queryKey: readonly unknown[];
}

/**
 * Makes a query return its last report, which is for another period, until the new report arrives.
 *
 * @param what the rest of the query key, after `history` and the period; the last report is kept only if it is the same
 */
export function keepReportOfOtherPeriod(what: readonly unknown[]) {
  return <Report>(last: Report | undefined, asked: QueryWithKey | undefined): Report | undefined =>
    JSON.stringify(asked?.queryKey.slice(2)) === JSON.stringify(what) ? last : undefined;
}
