import { z } from 'zod';
import { duration } from '../base/units.ts';

/** `drain`: how long a gateway may take to stop. */
export const drainSettings = z
  .strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') })
  .prefault({});

/**
 * Time after the deadline for work that cannot be cut short: one second for the last writes, two seconds for modules to
 * close, and the rest for a slow disk.
 */
const GRACE_MS = 6000;

/**
 * Maximum time that a gateway takes to stop, in ms. After that, the process exits even if something has not closed. A
 * new gateway waits this long for a file that the previous gateway still has locked.
 */
export function computeDrainLimitMs({ lameDuck, deadline }: z.infer<typeof drainSettings>): number {
  return lameDuck + deadline + GRACE_MS;
}
