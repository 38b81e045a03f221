import type { Logger } from 'pino';
import { attribute } from './upstreams/attribution.ts';

/** The same signal again within this time is the same signal: a terminal and npm may both pass it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * Drains and ends the process: on SIGTERM and SIGINT, with 0; on an error that nobody caught, with 1. A second signal
 * forces it.
 *
 * @param deadline ms after which it ends all the same
 */
export function drainOnSignal(drain: () => Promise<void>, deadline: number, logger: Logger): void {
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
      exit(1);
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
      exit(1);
    }, deadline).unref();
    drain().then(
      () => {
        logger.info('stopped');
        exit(exitCode);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the drain failed');
        exit(1);
      },
    );
  }

  /** The log is written in the background: its last lines must not be lost. */
  function exit(code: number): void {
    logger.flush(() => process.exit(code));
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
}
