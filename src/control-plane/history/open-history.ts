import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Clock, HOUR_MS } from '../../base/time.ts';
import { Flush } from './recording/flush.ts';
import { openHistoryClient } from './worker/history-client.ts';
import type { HistoryStore } from './store/history-store.ts';
import { Recorder } from './recording/recorder.ts';
import { ViolationCounts } from './recording/violation-counts.ts';
import { RefusalCollector } from './recording/refusal-collector.ts';
import type { Retention } from './store/retention.ts';
import type { DatabaseLocation } from '../../storage/database.ts';
import { HISTORY_FILE } from '../../storage/history-tables.ts';

/**
 * Maximum time that closing waits for an unavailable database. It is short, because other parts close after the
 * history, and all of them must finish within the time limit of the drain.
 */
const MAX_CLOSE_MS = 2000;

interface HistoryOptions {
  readonly records: DatabaseLocation;
  readonly dataDir: string;
  readonly keep: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long to wait for another process that has locked the file, in ms. */
  readonly waitMs: number;
  /** How long closing may take to write the last counts, in ms. Values above two seconds have no effect. */
  readonly closeMs: number;
  /** How often counts are written, in ms. */
  readonly flushEveryMs?: number | undefined;
}

/** The state of the history, for health and metrics. */
interface HistoryState {
  /** Number of rows that are not written yet. */
  readonly pending: number;
  /** Age of the oldest request that is not written yet, in ms. */
  readonly lagMs: number;
  /** Why history cannot be written now, as text for people. Null: it can be written. */
  readonly failure: string | null;
  /** Number of failed attempts to write a chunk. */
  readonly flushFailures: number;
  /** Number of requests that were counted under "other", because there were too many keys to count each one. */
  readonly underOther: number;
  /** Number of requests that will never be in the history. */
  readonly lost: number;
  /** Refusals that cannot be explained later: see `RefusalCollector.leftOut`. */
  readonly refusalsLeftOut: { readonly repeated: number; readonly dropped: number };
}

export interface History {
  readonly recorder: Recorder;
  readonly violations: ViolationCounts;
  readonly refusals: RefusalCollector;
  readonly store: HistoryStore;
  readonly state: () => HistoryState;
  /** Writes the recorded counts, and closes the store. Call this only after recording has stopped. */
  close(): Promise<void>;
}

/** @throws StartError if the history cannot be used */
export async function openHistory(options: HistoryOptions): Promise<History> {
  const { records, dataDir, keep, clock, logger, waitMs, closeMs, flushEveryMs } = options;
  const file = join(dataDir, HISTORY_FILE);
  const store = await openHistoryClient({ records, file, keep, waitMs }, logger);
  const recorder = new Recorder(clock);
  const violations = new ViolationCounts(clock);
  const flush = new Flush({ recorder, violations, store, clock, logger });
  flush.start(flushEveryMs);
  const refusals = new RefusalCollector({
    store,
    onError: (error) => logger.error({ err: error }, 'refusals could not be stored and cannot be explained'),
  });
  const pruning = startPruning({ store, clock, logger });
  return {
    recorder,
    violations,
    refusals,
    store,
    state: () => ({
      pending: flush.pending,
      lagMs: flush.lagMs,
      failure: flush.failure,
      flushFailures: flush.failures,
      underOther: recorder.underOther,
      lost: recorder.lost + flush.lost + violations.lost,
      refusalsLeftOut: refusals.leftOut,
    }),
    async close() {
      pruning.stop();
      const limitMs = Math.min(MAX_CLOSE_MS, closeMs);
      await Promise.all([flush.close(limitMs), refusals.close(limitMs)]);
      await store.close();
    },
  };
}

const PRUNE_INTERVAL_MS = HOUR_MS;

interface PruningOptions {
  readonly store: Pick<HistoryStore, 'prune'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Deletes old data every hour. Each gateway starts at a random minute, so that gateways do not delete at the same time.
 */
function startPruning({ store, clock, logger }: PruningOptions): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(delayMs: number): void {
    if (!isStopped) timer = setTimeout(() => void prune(), delayMs).unref();
  }

  async function prune(): Promise<void> {
    try {
      const rows = await store.prune(clock());
      if (rows > 0) logger.info({ rows }, 'deleted old history');
    } catch (error) {
      if (!isStopped) logger.warn({ err: error }, 'old history could not be deleted; retrying later');
    }
    schedule(PRUNE_INTERVAL_MS);
  }

  schedule(Math.random() * PRUNE_INTERVAL_MS);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
