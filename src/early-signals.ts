/** Ends the process at SIGTERM and SIGINT, while it has nothing yet that would have to be closed. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  process.on('SIGTERM', end).on('SIGINT', end);
}

/**
 * Listens for `signal` in place of those that ended the process. The new listener is added first: Node drops a signal
 * that has come, but is not delivered yet, as soon as nobody listens for it.
 */
export function takeOverSignal(signal: NodeJS.Signals, listener: NodeJS.SignalsListener): void {
  const early = process.listeners(signal);
  process.on(signal, listener);
  for (const each of early) process.off(signal, each);
}
