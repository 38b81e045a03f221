import { isatty } from 'node:tty';

/** Ends the process immediately on a signal. Call this at the start, before there is anything to close. */
export function endOnSignal(): void {
  const exit = () => process.exit(0);
  for (const signal of listEndingSignals()) process.on(signal, exit);
  // Without a listener, SIGHUP would end the process. There is no configuration to reload yet.
  if (!isAtTerminal()) process.on('SIGHUP', ignore);
}

function ignore(): void {
  // Replaced by `reloadOnSighup` once the configuration has been loaded.
}

/**
 * Whether the process runs at a terminal. There, SIGHUP means that the terminal was closed, and ends the process.
 * Elsewhere, SIGHUP requests a reload of the configuration.
 */
export function isAtTerminal(): boolean {
  return isatty(0) || isatty(1);
}

/** The signals that end the process. */
export function listEndingSignals(): readonly NodeJS.Signals[] {
  return isAtTerminal() ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
