import type { Logger } from 'pino';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../base/time.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { waitAtMost } from '../../base/awaitable.ts';

/** Delay of the first run after the start, because the start has more urgent work. */
const FIRST_RUN_MS = 30_000;
const INTERVAL_MS = HOUR_MS;
/** Delay after a run in which the database was unavailable. */
const UNAVAILABLE_RETRY_MS = MINUTE_MS;
/** How long `stop` waits for the current run to end. */
const MAX_STOP_MS = 1000;

/** An hourly task. Every gateway runs it, so a task must be safe to run more than once. */
export interface Task {
  /** Names the task in the log if it failed. */
  readonly name: string;
  /** @param isStopped called between two steps; if it returns true, the task ends early */
  readonly run: (now: number, isStopped: () => boolean) => Promise<void>;
}

interface ScheduleOptions {
  readonly tasks: readonly Task[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs the hourly tasks. All gateways do so, and the first one to run a task leaves nothing to do for the others. */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#scheduleNext(FIRST_RUN_MS);
  }

  /** Ends the current run early, and waits for it for at most `MAX_STOP_MS`. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#running !== null) await waitAtMost(MAX_STOP_MS, this.#running);
  }

  #scheduleNext(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run().then((ms) => {
        this.#running = null;
        this.#scheduleNext(ms);
      });
    }, ms).unref();
  }

  /** @returns ms until the next run */
  async #run(): Promise<number> {
    const { tasks, clock, logger } = this.#options;
    let isDatabaseAway = false;
    for (const { name, run } of tasks) {
      if (this.#stopped) break;
      try {
        await run(clock(), () => this.#stopped);
      } catch (error) {
        // An unavailable database is reported elsewhere.
        if (error instanceof StoreUnavailable) isDatabaseAway = true;
        else if (!this.#stopped) logger.error({ err: error, task: name }, 'scheduled task failed; retrying in an hour');
      }
    }
    return isDatabaseAway ? UNAVAILABLE_RETRY_MS : INTERVAL_MS;
  }
}
