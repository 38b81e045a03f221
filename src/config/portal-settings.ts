import { z } from 'zod';
import { count } from '../base/units.ts';
import { markFixed, markLive, selectSchemas, collectSchemas } from './divided-settings.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { nonEmptyText, plainUrl, planId, privateUrl, tlsSchema } from './schema-parts.ts';

function isContact(text: string): boolean {
  if (/^mailto:[^\s@?#/:<>"]+@[^\s@?#/:<>"]+$/.test(text)) return true;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const portal = {
  enabled: markFixed(z.boolean('must be true or false').default(false)),
  url: markFixed(privateUrl.optional()),
  tls: markFixed(tlsSchema),
  apiUrl: markLive(plainUrl.optional()),
  title: markFixed(nonEmptyText.max(60, 'must have at most 60 characters').default('API portal')),
  logo: markFixed(nonEmptyText.optional()),
  accent: markFixed(
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as "#0a7d4f"')
      .optional(),
  ),
  public: markLive(z.boolean('must be true or false').default(false)),
  description: markLive(nonEmptyText.max(300, 'must have at most 300 characters').optional()),
  contact: markLive(
    z.string().refine(isContact, 'must be an http:// or https:// URL, or mailto: and an address').optional(),
  ),
  pages: markLive(nonEmptyText.optional()),
  signUp: markLive(z.enum(['invite', 'request', 'open']).default('invite')),
  plan: markLive(planId.default('free')),
  requestablePlans: markLive(z.array(planId).default([])),
  maxKeys: markLive(count.default(5)),
  maxConnections: markFixed(count.default(2000)),
  maxConnectionsPerAddress: markFixed(count.default(200)),
  oidc: markFixed(
    z.strictObject({ issuer: privateUrl, clientId: nonEmptyText, clientSecret: nonEmptyText }).optional(),
  ),
};

export const fixedPortal = selectSchemas(portal, 'fixed');
export const livePortal = selectSchemas(portal, 'live');

export const portalSettings = z
  .strictObject(collectSchemas(portal))
  .refine((config) => config?.oidc === undefined || config.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, the provider redirects users back to it',
  })
  .refine((config) => config?.signUp !== 'request' || config.public, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must not be request unless public is true: people without an account could not find the form',
  })
  .refine((config) => config?.signUp !== 'open' || config.oidc !== undefined, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must be invite or request without oidc: open sign-up needs a provider to verify users',
  });
