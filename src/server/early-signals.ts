/** Ends the process on SIGTERM or SIGINT; for the time when there is nothing to close yet. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  process.on('SIGTERM', end).on('SIGINT', end);
}
