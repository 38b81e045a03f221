/** Ends the process at SIGTERM and SIGINT, while it has nothing yet that would have to be closed. */
export function endOnSignal(): void {
  const end = () => process.exit(0);
  process.on('SIGTERM', end).on('SIGINT', end);
}
