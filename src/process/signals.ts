import type { Logger } from 'pino';
import { failRequestWith } from './uncaught-errors.ts';
import { listEndingSignals, isAtTerminal } from './end-on-signal.ts';

/** A signal repeated within this time counts as the same signal, because both the terminal and npm may pass it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * On a signal or an uncaught error, drains the process and then ends it. The exit code is 0 for a signal and 1 for an
 * error. A second signal ends the process immediately.
 *
 * @param limitMs maximum time for the drain, after which the process ends anyway
 */
export function drainOnSignal(drain: () => Promise<void>, limitMs: number, logger: Logger): void {
  let isDraining = false;
  let signalledAt: number | undefined;
  let exitCode = 0;

  function onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (signalledAt === undefined) {
      signalledAt = now;
      logger.info({ signal }, 'draining');
      startDrain();
    } else if (now - signalledAt >= SAME_SIGNAL_MS) {
      logger.warn({ signal }, 'stopped before draining finished');
      exitAfterLog(logger, 1);
    }
  }

  /** If an error belongs to no request, its consequences are unknown, so the process stops accepting work. */
  function onUncaughtError(error: unknown): void {
    if (failRequestWith(error)) return;
    exitCode = 1;
    logger.fatal({ err: error }, 'uncaught error; draining');
    startDrain();
  }

  function startDrain(): void {
    if (isDraining) return;
    isDraining = true;
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

  for (const signal of listEndingSignals()) {
    const earlyListeners = process.listeners(signal);
    // Add the new listener first, because a signal that arrives while there is no listener would be lost.
    process.on(signal, onSignal);
    // Remove the listeners that ended the process immediately during loading.
    for (const listener of earlyListeners) process.off(signal, listener);
  }
  process.on('uncaughtException', onUncaughtError);
  process.on('unhandledRejection', onUncaughtError);
}

/** Ends the process once the log is flushed, or cannot be. The log is written in the background. */
export function exitAfterLog(logger: Logger, code: number): void {
  logger.flush(() => process.exit(code));
}

/** Reloads the configuration because of a signal. */
type Reload = (change: { readonly actor: string; readonly reason: string; readonly at: number }) => Promise<unknown>;

/**
 * Reloads the configuration on SIGHUP, unless the process runs at a terminal. If the signal arrives during the start,
 * the reload waits until the gateway serves.
 *
 * @returns a function to call once the gateway serves
 */
export function reloadOnSighup(logger: Logger): (reload: Reload) => void {
  const whenServing = Promise.withResolvers<Reload>();
  if (!isAtTerminal()) {
    const earlyListeners = process.listeners('SIGHUP');
    process.on('SIGHUP', () => {
      logger.info({ signal: 'SIGHUP' }, 'reloading the configuration');
      // The reload itself logs its failures.
      void whenServing.promise
        .then((reload) => reload({ actor: 'system', reason: 'SIGHUP', at: Date.now() }))
        .catch(() => {});
    });
    for (const listener of earlyListeners) process.off('SIGHUP', listener);
  }
  return whenServing.resolve;
}
