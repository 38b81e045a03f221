import type { Logger } from 'pino';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../base/time.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { waitAtMost } from '../../base/awaitable.ts';

/** After the start, which has more urgent work. */
const FIRST_RUN_MS = 30_000;
const INTERVAL_MS = HOUR_MS;
/** After a run in which the database was unavailable. */
const RETRY_MS = MINUTE_MS;
/** How long a stop waits for a run to notice it. */
const MAX_STOP_MS = 1000;

/** An hourly task. Its result is the same however many gateways run it. */
export interface Task {
  /** For the log: what could not be done. */
  readonly name: string;
  /** @param isStopped called between two steps: true ends it early */
  readonly run: (now: number, isStopped: () => boolean) => Promise<void>;
}

interface ScheduleOptions {
  readonly tasks: readonly Task[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs hourly tasks in every gateway: the first one does the work for all. */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#next(FIRST_RUN_MS);
  }

  /** Ends a run early; waits for it, but not for long. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#running !== null) await waitAtMost(MAX_STOP_MS, this.#running);
  }

  #next(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().then((ms) => {
        this.#running = null;
        this.#next(ms);
      });
    }, ms).unref();
  }

  /** @returns ms until the next run */
  async #run(): Promise<number> {
    const { tasks, clock, logger } = this.#options;
    let isAway = false;
    for (const { name, run } of tasks) {
      if (this.#stopped) break;
      try {
        await run(clock(), () => this.#stopped);
      } catch (error) {
        // An unavailable database is reported elsewhere.
        if (error instanceof StoreUnavailable) isAway = true;
        else if (!this.#stopped) logger.error({ err: error, task: name }, 'scheduled task failed; retrying in an hour');
      }
    }
    return isAway ? RETRY_MS : INTERVAL_MS;
  }
}
