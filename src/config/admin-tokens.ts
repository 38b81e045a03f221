import { z } from 'zod';
import type { Environment } from './environment.ts';
import type { Faults } from './faults.ts';
import type { YamlFile } from './yaml-file.ts';

/** Names that the audit log uses already: that of the token from the environment or the file, and the gateway's own. */
const RESERVED = ['admin', 'system'];

export const adminTokensSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[a-z][a-z0-9._-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, . _ and -, starting with a letter')
        .refine((name) => !RESERVED.includes(name), `must not be one of ${RESERVED.join(', ')}: these are taken`),
      role: z.enum(['admin', 'viewer']),
      token: z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces, and not empty'),
    }),
    'must be a list of tokens',
  )
  .superRefine((tokens, context) => {
    for (const field of ['name', 'token'] as const) {
      const values = tokens.map((token) => token?.[field]);
      for (const [index, value] of values.entries()) {
        if (value === undefined || values.indexOf(value) === index) continue;
        // Never the value: one of them is a secret.
        context.addIssue({ code: 'custom', path: [index, field], message: 'is taken: another token has the same' });
      }
    }
  });

/** What the schema cannot see: where a token was written, and the one in the environment. */
export function checkAdminTokens(
  yaml: YamlFile,
  tokens: z.infer<typeof adminTokensSchema>,
  env: Environment,
  faults: Faults,
): void {
  const written = yaml.value as { adminTokens?: readonly { token: string }[] };
  for (const [index, { token }] of tokens.entries()) {
    const add = (what: string) => {
      faults.add(yaml.locate(['adminTokens', index, 'token']), `adminTokens[${index}].token`, what);
    };
    if (!/^\$\{\w+\}$/.test(written.adminTokens?.[index]?.token ?? '')) {
      add('must be ${NAME}, a variable of the environment: a secret in this file gets into copies and backups of it');
    }
    if (token === env['TOLLGATE_ADMIN_TOKEN']) {
      add('is that of TOLLGATE_ADMIN_TOKEN too: the audit log could not tell who it was');
    }
  }
}
