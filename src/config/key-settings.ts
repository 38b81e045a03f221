import { z } from 'zod';
import { span } from '../base/units.ts';
import { DAY_MS, HOUR_MS } from '../base/time.ts';
import { DEFAULT_MAX_LENGTH } from '../domain/key-format.ts';
import { HOP_BY_HOP } from '../http/headers.ts';

/** Headers that cannot carry keys, because their values have a meaning of their own. */
const UNUSABLE_HEADERS: readonly string[] = [
  ...HOP_BY_HOP,
  'accept',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'origin',
  'referer',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'user-agent',
  'x-request-id',
];

const createTokenSchema = (description: string) =>
  z.string().regex(/^[A-Za-z0-9!#$%&'+.^`|~-]+$/, `must be ${description}`);

/** Minimum length of a key in bytes. A shorter key cannot hold 128 random bits. */
const MIN_LENGTH = 16;
const MAX_LENGTH = 1000;

const keyLength = z
  .int(`must be a whole number of at least ${MIN_LENGTH}`)
  .min(MIN_LENGTH, `must be a whole number of at least ${MIN_LENGTH}`)
  .max(MAX_LENGTH, `must not be greater than ${MAX_LENGTH}`);

const keyFormat = z.strictObject({
  header: createTokenSchema('the name of a header').refine((name) => !UNUSABLE_HEADERS.includes(name.toLowerCase()), {
    message: 'must be a header that is used for keys only, such as Authorization or X-Api-Key',
  }),
  scheme: createTokenSchema('an authentication scheme such as Bearer').optional(),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{2,12}$/, 'must be what all those keys begin with: 2 to 12 letters, digits, and . _ ~ -')
    .refine((prefix) => !/^tg_/i.test(prefix), 'must not be tg_, the prefix of Tollgate keys')
    .optional(),
  minLength: keyLength.default(24),
  maxLength: keyLength.optional(),
});

const foreignKeyFormat = keyFormat
  .refine(({ header, scheme, prefix }) => prefix !== undefined || !isBearer(header, scheme), {
    path: ['prefix'],
    message: 'is missing: Authorization: Bearer also has tokens of services, so say what all those keys begin with',
  })
  .refine(({ prefix, minLength, maxLength }) => minLength <= (maxLength ?? getDefaultMaxLength(prefix)), {
    path: ['minLength'],
    message: `must not be greater than maxLength (${DEFAULT_MAX_LENGTH} if there is neither a prefix nor a maxLength)`,
  });

function isBearer(header: string, scheme: string | undefined): boolean {
  return header.toLowerCase() === 'authorization' && scheme?.toLowerCase() === 'bearer';
}

function getDefaultMaxLength(prefix: string | undefined): number {
  return prefix === undefined ? DEFAULT_MAX_LENGTH : Infinity;
}

/** `keys`: which keys are accepted in addition to those that Tollgate creates, and whether a key can revoke itself. */
export const keySettings = z
  .strictObject({ foreign: z.array(foreignKeyFormat).max(20).default([]), selfRevoke: z.boolean().default(true) })
  .prefault({});

type KeySettings = z.infer<typeof keySettings>;

/** @param locate returns the file and line of the key format with this index */
export function findKeyWarnings({ foreign }: KeySettings, locate: (index: number) => string): string[] {
  return foreign.flatMap(({ header, prefix }, index) =>
    prefix !== undefined
      ? []
      : `${locate(index)}: keys.foreign[${index}] has no prefix, so its keys are not recognized in a query or cookie, ` +
        `which services receive unchanged. No service receives the header ${header}`,
  );
}

/** Minimum of `quietFor`. A smaller value would have no effect, because last uses are checked every hour. */
const MIN_QUIET_MS = HOUR_MS;
const MAX_GRACE_MS = 365 * DAY_MS;

/** `rotation`: when a replaced key expires if the rotation waits until the key is no longer used. */
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
