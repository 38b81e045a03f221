import type { Logger } from 'pino';
import { type Clock, HOUR_MS } from '../../base/time.ts';
import type { HistoryStore } from './history-store.ts';

const INTERVAL_MS = HOUR_MS;

export interface PruningOptions {
  readonly store: Pick<HistoryStore, 'prune'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes what is too old every hour, at a minute of this gateway's own: others of the fleet do the same. */
export function startPruning({ store, clock, logger }: PruningOptions): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function schedule(delayMs: number): void {
    if (!stopped) timer = setTimeout(() => void prune(), delayMs).unref();
  }

  async function prune(): Promise<void> {
    try {
      const rows = await store.prune(clock());
      if (rows > 0) logger.info({ rows }, 'old history was deleted');
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'old history could not be deleted, and will be tried again');
    }
    schedule(INTERVAL_MS);
  }

  schedule(Math.random() * INTERVAL_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
