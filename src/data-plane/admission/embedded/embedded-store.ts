import type { Clock } from '../../../base/time.ts';
import type { SqliteFile } from '../../../storage/sqlite-file.ts';
import { EventLoopBatch } from '../../../base/event-loop-batch.ts';
import { Checkpoint } from './checkpoint.ts';
import type { BanPolicy } from '../ban-rules.ts';
import { MemoryStore } from './memory-store.ts';
import type { AdmissionStore, PendingRequest } from '../store.ts';

interface EmbeddedStoreOptions {
  /** The caller closes the database, after it has closed the store. */
  readonly database: SqliteFile;
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** Called for every failed write. Writing counters is retried. */
  readonly onError: (error: unknown) => void;
  /** Called after each successful write of counters. */
  readonly onWritten?: () => void;
  /** A clock for measuring writes, in ms. The longer writes take, the sooner the next one begins. */
  readonly monotonicClock?: () => number;
}

/**
 * Admission in one process. Decisions are made in memory, and persisted in the embedded database so that they survive a
 * restart. A crash loses at most a second of counts and no ban; a clean stop loses nothing.
 */
export function createEmbeddedStore({
  database,
  clock,
  policy,
  onError,
  onWritten,
  monotonicClock = () => performance.now(),
}: EmbeddedStoreOptions): AdmissionStore {
  const checkpoint = new Checkpoint({ database, policy, onError, onWritten, monotonicClock });
  const store = new MemoryStore({ clock, policy, journal: checkpoint });
  for (const [quotaId, state] of checkpoint.restore(clock())) store.load(quotaId, state);

  // The store could decide immediately. Requests are batched because the work after a decision is cheaper in batches.
  const arrived = new EventLoopBatch<PendingRequest>((batch) => {
    for (const { request, resolve, reject } of batch) {
      try {
        resolve(store.admit(request));
      } catch (error) {
        reject(error);
      }
    }
  });
  return {
    admit: (request) => new Promise((resolve, reject) => arrived.add({ request, resolve, reject })),
    inspect: (quotaId, limits) => store.inspect(quotaId, limits),
    ban: (quotaId, durationMs) => store.ban(quotaId, durationMs),
    lift: (quotaId) => store.lift(quotaId),
    reset: (quotaId, window) => store.reset(quotaId, window),
    close: () => store.close(),
  };
}
