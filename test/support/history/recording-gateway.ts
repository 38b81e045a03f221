import { Flush } from '../../../src/control-plane/history/recording/flush.ts';
import { Recorder } from '../../../src/control-plane/history/recording/recorder.ts';
import type { HistoryStore } from '../../../src/control-plane/history/store/history-store.ts';
import { openHistoryClient } from '../../../src/control-plane/history/worker/history-client.ts';
import { type HistoryDatabase, keep, logger } from './history-database.ts';
import type { HistoryEvent } from './history-model.ts';

/** The recorder, flush and worker of a gateway. Tests drive them with events, instead of requests and the clock. */
export class RecordingGateway {
  readonly flush: Flush;
  readonly #store: HistoryStore;
  readonly #recorder: Recorder;
  #now = 0;

  private constructor(store: HistoryStore) {
    const clock = () => this.#now;
    this.#store = store;
    this.#recorder = new Recorder(clock);
    this.flush = new Flush({ recorder: this.#recorder, store, clock, logger });
  }

  static async open({ location, historyFile }: HistoryDatabase): Promise<RecordingGateway> {
    const settings = { records: location, file: historyFile, keep, waitMs: 1000 };
    return new RecordingGateway(await openHistoryClient(settings, logger));
  }

  record(event: HistoryEvent): void {
    this.#now = event.at;
    const { key, operation, outcome, statusClass, units, refusedUnits, durationMs } = event;
    this.#recorder.record(key, operation, outcome, statusClass, units, refusedUnits, durationMs);
  }

  /** Writes the remaining counts, like a graceful stop. */
  async drain(limitMs = 30_000): Promise<void> {
    await this.flush.close(limitMs);
    await this.#store.close();
  }
}
