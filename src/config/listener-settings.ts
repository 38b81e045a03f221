import { z } from 'zod';
import { count, duration } from '../base/units.ts';
import { ALWAYS, plainUrl, privateUrl } from './schema-parts.ts';
import { isVariable } from './interpolate.ts';
import type { Faults } from '../base/configuration-faults.ts';
import type { YamlFile } from '../base/yaml.ts';

const pemFile = z.string('must be the path of a PEM file').min(1, 'must be the path of a PEM file');

/** A listener's certificate and key. */
export const tlsSchema = z.strictObject({ cert: pemFile, key: pemFile }).optional();

const text = z.string().min(1, 'must not be empty');
const names = z.array(text).default([]);

const oidc = z
  .strictObject({
    issuer: privateUrl,
    clientId: text,
    clientSecret: text,
    claim: text.default('groups'),
    admins: names,
    viewers: names,
  })
  .refine(({ admins, viewers }) => admins.length + viewers.length > 0, {
    path: ['admins'],
    message: 'must not be empty unless viewers is set: otherwise nobody could sign in',
  });

export const adminListenerSchema = z
  .strictObject({
    url: privateUrl.optional(),
    tls: tlsSchema,
    maxConnections: count.default(2000),
    maxConnectionsPerAddress: count.default(1000),
    oidc: oidc.optional(),
  })
  .refine((admin) => admin?.oidc === undefined || admin.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  });

/** Checks what the schema cannot see: how the secrets of clients are written in the file. */
export function checkClientSecrets(yaml: YamlFile, faults: Faults): void {
  for (const listener of ['admin', 'portal']) {
    const written: unknown = Object(Object(Object(yaml.value)[listener]).oidc).clientSecret;
    if (typeof written !== 'string' || isVariable(written)) continue;
    faults.add(
      yaml.locate([listener, 'oidc', 'clientSecret']),
      `${listener}.oidc.clientSecret`,
      'must be ${NAME}, an environment variable: a secret in this file ends up in its copies and backups',
    );
  }
}

const planId = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be the id of a plan');

export const portalSchema = z
  .strictObject({
    enabled: z.boolean('must be true or false').default(false),
    url: privateUrl.optional(),
    tls: tlsSchema,
    apiUrl: plainUrl.optional(),
    title: text.max(60, 'must have at most 60 characters').default('API portal'),
    logo: text.optional(),
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#0a7d4f"')
      .optional(),
    signUp: z.enum(['invite', 'open']).default('invite'),
    plan: planId.default('free'),
    requestablePlans: z.array(planId).default([]),
    maxKeys: count.default(5),
    maxConnections: count.default(2000),
    maxConnectionsPerAddress: count.default(200),
    oidc: z.strictObject({ issuer: privateUrl, clientId: text, clientSecret: text }).optional(),
  })
  .refine((portal) => portal?.oidc === undefined || portal.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  })
  .refine((portal) => portal?.signUp !== 'open' || portal.oidc !== undefined, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must be invite without oidc: open sign-up needs a provider to verify users',
  });

/** `drain`: how long a gateway that stops may take. */
export const drainSettings = z
  .strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') })
  .prefault({});

/**
 * Time beyond the deadline for work that cannot be shortened: a second for the last writes, two for modules to close,
 * and the rest for a slow disk.
 */
const GRACE_MS = 6000;

/**
 * Maximum time that a gateway takes to stop, in ms: then its process ends even if something does not close. The next
 * gateway waits this long for a file that it holds.
 */
export function drainLimitMs({ lameDuck, deadline }: z.infer<typeof drainSettings>): number {
  return lameDuck + deadline + GRACE_MS;
}
