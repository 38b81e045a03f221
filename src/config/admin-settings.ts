import { z } from 'zod';
import { count } from '../base/units.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { nonEmptyText, privateUrl, tlsSchema } from './schema-parts.ts';

const claimValues = z.array(nonEmptyText).default([]);

const oidcSchema = z
  .strictObject({
    issuer: privateUrl,
    clientId: nonEmptyText,
    clientSecret: nonEmptyText,
    claim: nonEmptyText.default('groups'),
    admins: claimValues,
    viewers: claimValues,
  })
  .refine(({ admins, viewers }) => admins.length + viewers.length > 0, {
    path: ['admins'],
    message: 'must not be empty unless viewers is set: otherwise nobody could sign in',
  });

export const adminSettings = z
  .strictObject({
    url: privateUrl.optional(),
    tls: tlsSchema,
    maxConnections: count.default(2000),
    maxConnectionsPerAddress: count.default(1000),
    oidc: oidcSchema.optional(),
  })
  .refine((admin) => admin?.oidc === undefined || admin.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  });
