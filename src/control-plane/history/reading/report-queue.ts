import { StoreUnavailable } from '../../../base/error-types.ts';
import { FairSemaphore, Overloaded } from '../../../base/fair-semaphore.ts';

/** How long a report may take, without the time it waits. */
export const REPORT_TIMEOUT_MS = 10_000;

const MAX_WAITING = 20;
const EVERYBODY = '';

/** Bounds the reports that run and wait at a time. */
export class ReportQueue {
  readonly #semaphore: FairSemaphore;

  constructor(concurrency: number) {
    this.#semaphore = new FairSemaphore({ concurrency, maxWaiting: MAX_WAITING, maxWaitingPerParty: MAX_WAITING });
  }

  /** @throws StoreUnavailable (as a rejection) if too many are waiting */
  async run<T>(report: () => Promise<T>): Promise<T> {
    try {
      return await this.#semaphore.run(EVERYBODY, report);
    } catch (error) {
      throw error instanceof Overloaded ? new StoreUnavailable('too many reports of the history are waiting') : error;
    }
  }
}

/** What a report fails with that takes longer than `REPORT_TIMEOUT_MS`. */
export function tookTooLong(): StoreUnavailable {
  return new StoreUnavailable('the report took too long: ask for a shorter time, or for fewer keys');
}
