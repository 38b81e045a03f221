import type { Period } from './period.ts';
import type { UsageHistory } from './usage-history.ts';

/** A report with the period that was requested. While another one is loading, it stays visible and names its period. */
export interface HistoryOfPeriod extends UsageHistory {
  readonly period: Period;
  /** The time at which it was loaded, in ms since the Unix epoch. */
  readonly readAtMs: number;
}

export async function withPeriod(period: Period, read: Promise<UsageHistory>): Promise<HistoryOfPeriod> {
  return { ...(await read), period, readAtMs: Date.now() };
}

interface Asked {
  readonly queryKey: readonly unknown[];
}

/**
 * Makes a query return the last report for the same things in another period until its own report arrives.
 *
 * @param what the key of the query after `history` and the period
 */
export function ofOtherPeriod(what: readonly unknown[]) {
  return <Report>(last: Report | undefined, asked: Asked | undefined): Report | undefined =>
    JSON.stringify(asked?.queryKey.slice(2)) === JSON.stringify(what) ? last : undefined;
}
