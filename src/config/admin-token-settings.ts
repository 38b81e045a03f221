import { z } from 'zod';
import { ALWAYS } from '../base/zod-checks.ts';
import { listEntries, findRepeated } from './schema-parts.ts';
import { type Environment, adminToken } from './environment.ts';
import { isVariable } from './interpolate.ts';
import type { Faults } from '../base/configuration-faults.ts';
import type { YamlFile } from '../base/yaml.ts';

/**
 * Names that the audit log already uses. `admin` is the token from the environment or its file, and `system` is the
 * gateway.
 */
const RESERVED_NAMES = ['admin', 'system'];

export const adminTokensSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[a-z][a-z0-9._-]{0,63}$/, 'must be 1 to 64 characters of a-z, 0-9, . _ and -, starting with a letter')
        .refine(
          (name) => !RESERVED_NAMES.includes(name),
          `must not be one of ${RESERVED_NAMES.join(', ')}: these names are reserved`,
        ),
      role: z.enum(['admin', 'viewer', 'publisher']),
      upstream: z.string().optional(),
      token: adminToken,
    }),
    'must be a list of tokens',
  )
  .superRefine((tokens, context) => {
    for (const field of ['name', 'token'] as const) {
      for (const { index } of findRepeated(tokens, field)) {
        // The message never quotes the value, because a token is a secret.
        context.addIssue({ code: 'custom', path: [index, field], message: 'is used twice: give each token its own' });
      }
    }
  }, ALWAYS);

/**
 * Makes the checks that the schema cannot make: each token must be written as a variable and differ from the token in
 * the environment, and the upstream of a publisher must exist.
 *
 * @param interpolated the value of the file with variables replaced; it may have any type, because it is not validated yet
 */
export function checkAdminTokens(yaml: YamlFile, interpolated: unknown, env: Environment, faults: Faults): void {
  const { adminTokens: tokens, upstreams } = Object(interpolated) as { adminTokens?: unknown; upstreams?: unknown };
  checkPublishers(yaml, listEntries(tokens), listEntries(upstreams), faults);
  const writtenTokens = listEntries(Object(yaml.value).adminTokens);
  for (const [index, { token }] of listEntries(tokens).entries()) {
    if (typeof token !== 'string') continue;
    const addFault = (message: string) => {
      faults.add(yaml.locate(['adminTokens', index, 'token']), `adminTokens[${index}].token`, message);
    };
    if (!isVariable(writtenTokens[index]?.['token'])) {
      addFault('must be ${NAME}, an environment variable: a secret in this file ends up in its copies and backups');
    }
    if (token === env['TOLLGATE_ADMIN_TOKEN']) {
      addFault('is the same as TOLLGATE_ADMIN_TOKEN: use another token, so that the audit log can tell them apart');
    }
  }
}

function checkPublishers(
  yaml: YamlFile,
  tokens: readonly Record<string, unknown>[],
  upstreams: readonly Record<string, unknown>[],
  faults: Faults,
): void {
  const upstreamNames = upstreams.map(({ name }) => name);
  for (const [index, { role, upstream }] of tokens.entries()) {
    const fault = findUpstreamFault(role, upstream, upstreamNames);
    if (fault !== null)
      faults.add(yaml.locate(['adminTokens', index, 'upstream']), `adminTokens[${index}].upstream`, fault);
  }
}

function findUpstreamFault(role: unknown, upstream: unknown, upstreamNames: readonly unknown[]): string | null {
  if (role !== 'publisher') return upstream === undefined ? null : 'is only allowed for the role publisher: remove it';
  if (upstream === undefined) return 'is missing: name the upstream for which the token publishes';
  if (upstreamNames.includes(upstream)) return null;
  return `must be the name of an upstream: ${upstreamNames.filter((name) => typeof name === 'string').join(', ')}`;
}
