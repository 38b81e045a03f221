import { isatty } from 'node:tty';

/** Ends the process on signals. Call it while there is nothing to close yet. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  for (const signal of endingSignals()) process.on(signal, end);
  // There is no configuration to reload yet, but the signal would end the process if it had no listener.
  if (!isAtTerminal()) process.on('SIGHUP', ignore);
}

function ignore(): void {
  // This listener is replaced after the configuration has been read.
}

/**
 * Whether the process runs at a terminal. Closing a terminal ends the programs in it, so SIGHUP ends the process there.
 * Elsewhere, SIGHUP requests a reload of the configuration.
 */
export function isAtTerminal(): boolean {
  return isatty(0) || isatty(1);
}

/** The signals that end the process. */
export function endingSignals(): readonly NodeJS.Signals[] {
  return isAtTerminal() ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
