import type { Logger } from 'pino';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../base/time.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { waitAtMost } from '../../base/awaitable.ts';

/** After the start: what is urgent comes first. */
const FIRST_RUN_MS = 30_000;
const INTERVAL_MS = HOUR_MS;
/** After a run in which the database was away. */
const RETRY_MS = MINUTE_MS;
/** How long a stop waits for a run to notice it. */
const MAX_STOP_MS = 1000;

/** Something to be done every hour. What it tells or deletes is told or deleted once, however many gateways try. */
export interface Task {
  /** For the log: what could not be done. */
  readonly name: string;
  /** @param isStopped asked between two steps: true ends it early */
  readonly run: (now: number, isStopped: () => boolean) => Promise<void>;
}

export interface ScheduleOptions {
  readonly tasks: readonly Task[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Does what is due every hour, in every gateway: whichever is there first does it for all. */
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
        // A database that is away says so itself.
        if (error instanceof StoreUnavailable) isAway = true;
        else if (!this.#stopped) logger.error({ err: error, task: name }, 'scheduled task failed; retrying in an hour');
      }
    }
    return isAway ? RETRY_MS : INTERVAL_MS;
  }
}
