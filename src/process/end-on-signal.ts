import { isatty } from 'node:tty';

/** Ends the process on signals, as long as there is nothing to close. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  for (const signal of endingSignals()) process.on(signal, end);
  // The configuration has not been read yet, so there is nothing to reload, but without a listener the signal would end
  // the process.
  if (!isAtTerminal()) process.on('SIGHUP', ignore);
}

function ignore(): void {
  // Replaced after the configuration has been read.
}

/** Closing a terminal ends the programs in it; elsewhere, SIGHUP requests a reload of the configuration. */
export function isAtTerminal(): boolean {
  return isatty(0) || isatty(1);
}

/** The signals that end the process. */
export function endingSignals(): readonly NodeJS.Signals[] {
  return isAtTerminal() ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
