import type { Logger } from 'pino';
import { takeOverSignal } from './early-signals.ts';
import { attribute } from './upstreams/attribution.ts';

/** The same signal again within this time is the same signal: a terminal and npm may both pass it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * Drains and ends the process: on SIGTERM and SIGINT, with 0; on an error that nobody caught, with 1. A second signal
 * forces it.
 *
 * @param limitMs the longest that the drain may take: after it the process ends all the same
 */
export function drainOnSignal(drain: () => Promise<void>, limitMs: number, logger: Logger): void {
  let draining = false;
  let signalledAt: number | undefined;
  let exitCode = 0;

  function onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (signalledAt === undefined) {
      signalledAt = now;
      logger.info({ signal }, 'draining');
      begin();
    } else if (now - signalledAt >= SAME_SIGNAL_MS) {
      logger.warn({ signal }, 'stopped before the drain was over');
      exitAfterLog(logger, 1);
    }
  }

  /** Where it is not known whose error it was, nor what it left undone, this process takes no new work. */
  function onUncaught(error: unknown): void {
    if (attribute(error)) return;
    exitCode = 1;
    logger.fatal({ err: error }, 'an error that nobody caught: draining');
    begin();
  }

  function begin(): void {
    if (draining) return;
    draining = true;
    setTimeout(() => {
      logger.error('the drain took too long');
      exitAfterLog(logger, 1);
    }, limitMs);
    drain().then(
      () => {
        logger.info('stopped');
        exitAfterLog(logger, exitCode);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the drain failed');
        exitAfterLog(logger, 1);
      },
    );
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) takeOverSignal(signal, onSignal);
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
}

/** Ends the process once the log, which is written in the background, has its last lines: or cannot take them. */
export function exitAfterLog(logger: Logger, code: number): void {
  logger.flush(() => process.exit(code));
}
