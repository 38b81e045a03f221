import { z } from 'zod';
import { count, positiveDuration } from '../../base/units.ts';

/** `guard`: how often an address may fail or call without a key. */
export const guardSettings = z
  .strictObject({
    failedAttempts: count.default(20),
    publicRequests: count.default(60),
    within: positiveDuration.prefault('1m'),
  })
  .prefault({});
