import { z } from 'zod';
import { count } from '../base/units.ts';
import { ALWAYS, nonEmptyText, plainUrl, privateUrl, tlsSchema } from './schema-parts.ts';

function isContact(text: string): boolean {
  if (/^mailto:[^\s@?#/:<>"]+@[^\s@?#/:<>"]+$/.test(text)) return true;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const planId = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be the id of a plan');

export const portalSettings = z
  .strictObject({
    enabled: z.boolean('must be true or false').default(false),
    url: privateUrl.optional(),
    tls: tlsSchema,
    apiUrl: plainUrl.optional(),
    title: nonEmptyText.max(60, 'must have at most 60 characters').default('API portal'),
    logo: nonEmptyText.optional(),
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#0a7d4f"')
      .optional(),
    public: z.boolean('must be true or false').default(false),
    description: nonEmptyText.max(300, 'must have at most 300 characters').optional(),
    contact: z.string().refine(isContact, 'must be an http:// or https:// URL, or mailto: and an address').optional(),
    pages: nonEmptyText.optional(),
    signUp: z.enum(['invite', 'request', 'open']).default('invite'),
    plan: planId.default('free'),
    requestablePlans: z.array(planId).default([]),
    maxKeys: count.default(5),
    maxConnections: count.default(2000),
    maxConnectionsPerAddress: count.default(200),
    oidc: z.strictObject({ issuer: privateUrl, clientId: nonEmptyText, clientSecret: nonEmptyText }).optional(),
  })
  .refine((portal) => portal?.oidc === undefined || portal.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  })
  .refine((portal) => portal?.signUp !== 'request' || portal.public, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must not be request unless public is true: people without an account could not find the form',
  })
  .refine((portal) => portal?.signUp !== 'open' || portal.oidc !== undefined, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must be invite or request without oidc: open sign-up needs a provider to verify users',
  });
