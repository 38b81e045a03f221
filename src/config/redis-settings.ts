import { z } from 'zod';
import { positiveDuration } from '../base/units.ts';

/** `redis`: how long a request waits for Redis, and the prefix of the keys in Redis. */
export const redisSettings = z
  .strictObject({
    commandTimeout: positiveDuration.prefault('100ms'),
    keyPrefix: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,32}$/, 'must be 1 to 32 characters of A-Z, a-z, 0-9, _ . and -')
      .default('tg'),
  })
  .prefault({});
