import { z } from 'zod';
import { duration } from '../base/units.ts';

/** `drain`: how long a gateway may take to stop. */
export const drainSettings = z
  .strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') })
  .prefault({});

/**
 * Time beyond the deadline for work that cannot be cut short: a second for the last writes, two seconds for modules to
 * close, and the rest for a slow disk.
 */
const GRACE_MS = 6000;

/**
 * Maximum time that a gateway takes to stop, in ms. The process ends after that, even if something does not close. The
 * next gateway waits this long for a file that the previous one still holds.
 */
export function drainLimitMs({ lameDuck, deadline }: z.infer<typeof drainSettings>): number {
  return lameDuck + deadline + GRACE_MS;
}
