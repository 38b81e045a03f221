import { z } from 'zod';
import { ALWAYS } from '../base/zod-checks.ts';
import { count } from '../base/units.ts';
import { SUPPORTED_ALGORITHMS } from '../data-plane/tokens/signing-key.ts';
import { isPrivateUrl, nonEmptyText, planId, privateUrl, findRepeated } from './schema-parts.ts';

const claimName = nonEmptyText.max(64, 'must have at most 64 characters');

/** The name begins the owners of the callers (`corp:app-1`). */
const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 characters of a-z, 0-9 and -, starting with a letter');

const issuer = z
  .string('must be the value of iss in the tokens, in quotes')
  .regex(
    /^[!-~]{1,500}$/,
    'must be the exact value of iss in the tokens: 1 to 500 printable characters without spaces',
  );

const token = z
  .strictObject({
    name: nameSchema,
    issuer,
    audience: z
      .array(nonEmptyText.max(500, 'must have at most 500 characters'), 'must be a list of audiences')
      .min(1, 'must name at least one audience: tokens for other services must not be accepted'),
    audienceClaim: z.enum(['aud', 'client_id']).default('aud'),
    jwksUri: privateUrl.optional(),
    algorithms: z
      .array(z.enum(SUPPORTED_ALGORITHMS, `must be one of ${SUPPORTED_ALGORITHMS.join(', ')}`))
      .min(1, 'must name at least one algorithm')
      .default(['RS256', 'PS256', 'ES256', 'EdDSA']),
    caller: z
      .array(claimName, 'must be a list of claims')
      .min(1, 'must name at least one claim')
      .max(10, 'must have at most 10 claims')
      .default(['azp', 'client_id', 'sub']),
    plan: planId.optional(),
    planClaim: claimName.optional(),
    register: z.boolean('must be true or false').default(true),
    maxCallers: count.default(100_000),
    forward: z.boolean('must be true or false').default(true),
  })
  .refine((given) => given?.jwksUri !== undefined || isPrivateUrl(given.issuer), {
    ...ALWAYS,
    path: ['issuer'],
    message:
      'must be an https:// URL (http:// on a loopback address) without query, fragment or user, where its metadata ' +
      'is found; set jwksUri if there is no metadata',
  });

/** Maximum number of issuers. Each is asked for its keys regularly. */
const MAX_ISSUERS = 20;

/** `tokens`: the identity providers whose access tokens are accepted beside API keys. */
export const tokensSchema = z
  .array(token, 'must be a list of token issuers')
  .max(MAX_ISSUERS, `must have at most ${MAX_ISSUERS} entries`)
  .superRefine((list, context) => {
    for (const field of ['name', 'issuer'] as const) {
      for (const { index, value } of findRepeated(list, field)) {
        const message = `is used twice: another entry has the ${field} ${value}`;
        context.addIssue({ code: 'custom', path: [index, field], message });
      }
    }
  }, ALWAYS);
