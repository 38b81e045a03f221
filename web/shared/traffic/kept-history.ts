import type { Period } from './period.ts';
import type { UsageHistory } from './usage-history.ts';

/** A report with the period that it was asked for, which its words name: while another is read, it is still shown. */
export interface HistoryOfPeriod extends UsageHistory {
  readonly period: Period;
  /** When it was read, in ms since the Unix epoch. */
  readonly readAtMs: number;
}

export async function historyOf(period: Period, read: Promise<UsageHistory>): Promise<HistoryOfPeriod> {
  return { ...(await read), period, readAtMs: Date.now() };
}

interface Asked {
  readonly queryKey: readonly unknown[];
}

/**
 * Makes a query show, until its report arrives, the last one of the same things in another period.
 *
 * @param what the key of the query after `history` and the period
 */
export function ofOtherPeriod(what: readonly unknown[]) {
  return <Report>(last: Report | undefined, asked: Asked | undefined): Report | undefined =>
    JSON.stringify(asked?.queryKey.slice(2)) === JSON.stringify(what) ? last : undefined;
}
