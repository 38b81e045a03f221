import type { HistoryStore, UsageRow } from '../../../src/control-plane/history/store/history-store.ts';
import { findBucket, packCount } from '../../../src/control-plane/history/store/duration-buckets.ts';

export interface CountsOver extends Partial<Omit<UsageRow, 'durations'>> {
  /** The duration of each request, in ms. */
  readonly durationMs?: number;
}

/** Creates a row of counts. By default, it counts one request that was served in 10 ms. */
function counts({ durationMs = 10, ...over }: CountsOver = {}): UsageRow {
  const { minute = 0, requests = 1, statusClass = 2, outcome = 'served' } = over;
  return {
    minute,
    keyId: null,
    operation: null,
    outcome,
    statusClass,
    requests,
    units: outcome === 'served' ? requests : 0,
    refusedUnits: 0,
    firstAt: minute,
    lastAt: minute,
    ...over,
    durations: [packCount(findBucket(durationMs), requests)],
  };
}

let writers = 0;

/** Writes rows in the same way as a gateway. */
export async function addCounts(history: HistoryStore, ...rows: readonly CountsOver[]): Promise<void> {
  await history.write({ writer: `test-${++writers}`, sequence: 1, rows: rows.map(counts) });
}
