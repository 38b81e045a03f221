import type { Logger } from 'pino';

/** The same signal again within this time is the same signal: a terminal and npm may both pass it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * Drains and ends the process on SIGTERM and SIGINT. A second signal forces it.
 *
 * @param deadline ms after which it ends all the same
 */
export function drainOnSignal(drain: () => Promise<void>, deadline: number, logger: Logger): void {
  let drainingSince: number | null = null;
  const exit = (code: number) => {
    // The log is written in the background: its last lines must not be lost.
    logger.flush(() => process.exit(code));
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (drainingSince !== null) {
      if (performance.now() - drainingSince < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'stopped before the drain was over');
      exit(1);
      return;
    }
    drainingSince = performance.now();
    logger.info({ signal }, 'draining');
    setTimeout(() => {
      logger.error('the drain took too long');
      exit(1);
    }, deadline).unref();
    drain().then(
      () => {
        logger.info('stopped');
        exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the drain failed');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
