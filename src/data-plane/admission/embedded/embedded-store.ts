import type { Clock } from '../../../base/time.ts';
import type { SqliteFile } from '../../../storage/sqlite-file.ts';
import { EventLoopBatch } from '../../../base/event-loop-batch.ts';
import { Checkpoint } from './checkpoint.ts';
import type { BanPolicy } from '../bans.ts';
import { MemoryStore } from './memory-store.ts';
import type { AdmissionStore, PendingRequest } from '../store.ts';

export interface EmbeddedStoreOptions {
  /** The store does not close it: its owner does, after closing the store. */
  readonly database: SqliteFile;
  readonly clock: Clock;
  readonly policy: BanPolicy;
  /** Called for every failed write; counters are then retried. */
  readonly onError: (error: unknown) => void;
  /** Called whenever counters were written. */
  readonly onWritten?: () => void;
  /** In ms: when counters are written depends on how long that takes. */
  readonly monotonicClock?: () => number;
}

/**
 * Admission in one process that survives a restart: decided in memory, persisted in the embedded database. A crash
 * loses at most a second of counts and no ban; a clean stop loses nothing.
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

  // The store could answer at once. Requests are batched because what follows a decision is cheaper done together.
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
