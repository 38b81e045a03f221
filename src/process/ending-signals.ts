import { isatty } from 'node:tty';

/** A terminal that goes away takes what runs at it along; elsewhere SIGHUP asks for the configuration to be reloaded. */
export function isAtTerminal(): boolean {
  return isatty(0) || isatty(1);
}

/** The signals that end the process. */
export function endingSignals(): readonly NodeJS.Signals[] {
  return isAtTerminal() ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
