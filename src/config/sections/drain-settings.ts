import { z } from 'zod';
import { duration } from '../../base/units.ts';

/** `drain`: how long a gateway that stops may take. */
export const drainSettings = z
  .strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') })
  .prefault({});
