import { endingSignals, isAtTerminal } from './ending-signals.ts';

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
