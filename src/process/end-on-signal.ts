import { isatty } from 'node:tty';

/** Ends the process on the signals that do; for the time when there is nothing to close yet. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  for (const signal of endingSignals()) process.on(signal, end);
  // The configuration has not been read yet: there is nothing to reload, but without a listener it would end the process.
  if (!isAtTerminal()) process.on('SIGHUP', ignore);
}

function ignore(): void {
  // Replaced once the configuration is read.
}

/** A terminal that goes away takes what runs at it along; elsewhere SIGHUP asks for the configuration to be reloaded. */
export function isAtTerminal(): boolean {
  return isatty(0) || isatty(1);
}

/** The signals that end the process. */
export function endingSignals(): readonly NodeJS.Signals[] {
  return isAtTerminal() ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
