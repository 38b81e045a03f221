import { z } from 'zod';
import { span } from '../base/units.ts';
import { DAY_MS, HOUR_MS } from '../base/time.ts';

/** Their values have a meaning of their own. */
const NOT_FOR_KEYS = ['host', 'content-length', 'transfer-encoding', 'content-type', 'connection', 'cookie', 'referer'];

const token = (what: string) => z.string().regex(/^[A-Za-z0-9!#$%&'+.^`|~-]+$/, `must be ${what}`);

/** The shortest keys that can hold 128 random bits are 16 bytes long. */
const MIN_LENGTH = 16;

const foreignKeys = z.strictObject({
  header: token('the name of a header').refine((name) => !NOT_FOR_KEYS.includes(name.toLowerCase()), {
    message: 'must be a header that is used for keys only, such as Authorization or X-Api-Key',
  }),
  scheme: token('an authentication scheme such as Bearer').optional(),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{2,12}$/, 'must be what all those keys begin with: 2 to 12 letters, digits, and . _ ~ -')
    .refine((prefix) => !/^tg_/i.test(prefix), 'must not be tg_, the prefix of Tollgate keys'),
  minLength: z
    .int(`must be a whole number of at least ${MIN_LENGTH}`)
    .min(MIN_LENGTH, `must be a whole number of at least ${MIN_LENGTH}`)
    .max(1000, 'must not be greater than 1000')
    .default(24),
});

/** `keys`: which keys are accepted besides those that Tollgate creates, and whether a key can revoke itself. */
export const keySettings = z
  .strictObject({ foreign: z.array(foreignKeys).max(20).default([]), selfRevoke: z.boolean().default(true) })
  .prefault({});

/** Last uses are recorded every half minute, and looked at every hour. */
const MIN_QUIET_MS = HOUR_MS;
const MAX_GRACE_MS = 365 * DAY_MS;

/** `rotation`: when a replaced key ends, if the rotation waits until it is no longer used. */
export const rotationSettings = z
  .strictObject({
    quietFor: span.refine((ms) => ms >= MIN_QUIET_MS, 'must be at least 1h').prefault('7d'),
    maxGrace: span.refine((ms) => ms <= MAX_GRACE_MS, 'must be at most 365d').prefault('30d'),
  })
  .refine(({ quietFor, maxGrace }) => quietFor <= maxGrace, {
    path: ['quietFor'],
    message: 'must not be longer than rotation.maxGrace',
  })
  .prefault({});
