import type { Logger } from 'pino';
import { failRequestWith } from './uncaught-errors.ts';
import { endingSignals, isAtTerminal } from './end-on-signal.ts';

/** A repeat within this time counts as the same signal: a terminal and npm may both pass it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * Drains and ends the process: with code 0 on SIGTERM or SIGINT (at a terminal on SIGHUP too), with code 1 on an uncaught
 * error. A second signal forces the end.
 *
 * @param limitMs the longest that the drain may take; after that the process ends anyway
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
      logger.warn({ signal }, 'stopped before draining finished');
      exitAfterLog(logger, 1);
    }
  }

  /** If nobody knows whose error it was or what it left undone, this process takes no new work. */
  function onUncaught(error: unknown): void {
    if (failRequestWith(error)) return;
    exitCode = 1;
    logger.fatal({ err: error }, 'uncaught error; draining');
    begin();
  }

  function begin(): void {
    if (draining) return;
    draining = true;
    setTimeout(() => {
      logger.error('draining timed out');
      exitAfterLog(logger, 1);
    }, limitMs);
    drain().then(
      () => {
        logger.info('stopped');
        exitAfterLog(logger, exitCode);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'draining failed');
        exitAfterLog(logger, 1);
      },
    );
  }

  for (const signal of endingSignals()) {
    const early = process.listeners(signal);
    // Added first: with no listener at all, a signal that has arrived but was not delivered yet would be lost.
    process.on(signal, onSignal);
    // The listeners that ended the process while it was loading.
    for (const listener of early) process.off(signal, listener);
  }
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
}

/** Ends the process once the log, which is written in the background, has its last lines or cannot take them. */
export function exitAfterLog(logger: Logger, code: number): void {
  logger.flush(() => process.exit(code));
}

/** How a signal asks for a reload. */
type Reload = (change: { readonly actor: string; readonly reason: string; readonly at: number }) => Promise<unknown>;

/**
 * Reloads the configuration on SIGHUP, unless the process runs at a terminal. A signal that comes before the gateway
 * serves is not lost.
 *
 * @returns to be called once it serves
 */
export function reloadOnSighup(logger: Logger): (reload: Reload) => void {
  const serving = Promise.withResolvers<Reload>();
  if (!isAtTerminal()) {
    const early = process.listeners('SIGHUP');
    process.on('SIGHUP', () => {
      logger.info({ signal: 'SIGHUP' }, 'reloading the configuration');
      // Whatever fails is in the log already.
      void serving.promise
        .then((reload) => reload({ actor: 'system', reason: 'SIGHUP', at: Date.now() }))
        .catch(() => {});
    });
    for (const listener of early) process.off('SIGHUP', listener);
  }
  return serving.resolve;
}
