import { z } from 'zod';
import { count } from '../../base/units.ts';
import { ALWAYS } from '../always.ts';
import { plainUrl, privateUrl } from '../private-url.ts';
import { tlsSchema } from '../listener-tls.ts';

const text = z.string().min(1, 'must not be empty');
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
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#0a7d4f"')
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
    message: 'is missing: with oidc, people come back to it from their provider',
  })
  .refine((portal) => portal?.signUp !== 'open' || portal.oidc !== undefined, {
    ...ALWAYS,
    path: ['signUp'],
    message: 'must be invite without oidc: nobody else says who signs up',
  });
