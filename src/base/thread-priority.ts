import { constants, setPriority } from 'node:os';

/**
 * Gives requests priority over this thread, which may use a core for seconds. Only Linux has priorities for single
 * threads.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid this. In that case, the thread competes with requests.
  }
}
