import { z } from 'zod';
import { count } from '../base/units.ts';
import { fixed, live, schemasIn, allSchemas } from './divided-settings.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { nonEmptyText, plainUrl, planId, privateUrl, tlsSchema } from './schema-parts.ts';

function isContact(text: string): boolean {
  if (/^mailto:[^\s@?#/:<>"]+@[^\s@?#/:<>"]+$/.test(text)) return true;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const portal = {
  enabled: fixed(z.boolean('must be true or false').default(false)),
  url: fixed(privateUrl.optional()),
  tls: fixed(tlsSchema),
  apiUrl: live(plainUrl.optional()),
  title: fixed(nonEmptyText.max(60, 'must have at most 60 characters').default('API portal')),
  logo: fixed(nonEmptyText.optional()),
  accent: fixed(
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#0a7d4f"')
      .optional(),
  ),
  public: live(z.boolean('must be true or false').default(false)),
  description: live(nonEmptyText.max(300, 'must have at most 300 characters').optional()),
  contact: live(
    z.string().refine(isContact, 'must be an http:// or https:// URL, or mailto: and an address').optional(),
  ),
  pages: live(nonEmptyText.optional()),
  signUp: live(z.enum(['invite', 'request', 'open']).default('invite')),
  plan: live(planId.default('free')),
  requestablePlans: live(z.array(planId).default([])),
  maxKeys: live(count.default(5)),
  maxConnections: fixed(count.default(2000)),
  maxConnectionsPerAddress: fixed(count.default(200)),
  oidc: fixed(z.strictObject({ issuer: privateUrl, clientId: nonEmptyText, clientSecret: nonEmptyText }).optional()),
};

export const fixedPortal = schemasIn(portal, 'fixed');
export const livePortal = schemasIn(portal, 'live');

export const portalSettings = z
  .strictObject(allSchemas(portal))
  .refine((given) => given?.oidc === undefined || given.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  })
  .refine((given) => given?.signUp !== 'request' || given.public, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must not be request unless public is true: people without an account could not find the form',
  })
  .refine((given) => given?.signUp !== 'open' || given.oidc !== undefined, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must be invite or request without oidc: open sign-up needs a provider to verify users',
  });
