import { z } from 'zod';
import { duration } from '../../base/units.ts';

/** `drain`: how long a gateway that stops may take. */
export const drainSettings = z
  .strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') })
  .prefault({});

/**
 * Time allowed beyond the deadline for work that cannot be hurried: a second for what is sent last, two for modules to
 * close, and the rest for writes to a slow disk.
 */
const GRACE_MS = 6000;

/**
 * The longest that a gateway takes to stop, in ms: its process ends then even if something does not close. The next
 * one waits that long for a file that it holds.
 */
export function drainLimitMs({ lameDuck, deadline }: z.infer<typeof drainSettings>): number {
  return lameDuck + deadline + GRACE_MS;
}
