import { z } from 'zod';
import { adminSettings } from './admin-settings.ts';
import { drainSettings } from './drain-settings.ts';
import { portalSettings } from './portal-settings.ts';
import { adminTokensSchema } from './admin-token-settings.ts';
import { addressRange, ALWAYS, tlsSchema } from './schema-parts.ts';
import { banSettings } from './ban-settings.ts';
import { guardSettings, edgeSettings } from './edge-settings.ts';
import { keySettings, rotationSettings } from './key-settings.ts';
import { historySettings } from './history-settings.ts';
import { redisSettings } from './redis-settings.ts';
import { eventsSettings } from './event-settings.ts';
import { logLevel } from './environment.ts';
import { upstreamsSchema } from './upstream-settings.ts';
import { count, positiveDuration } from '../base/units.ts';

/** The shape of the configuration file. Every object is strict: an unknown setting is an error. */

export const DEFAULT_DATABASE = 'sqlite:tollgate.db';
export const DEFAULT_STORE = 'embedded';

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
    'must be an origin such as https://app.example.com, or "*"',
  );

export const configSchema = z.strictObject({
  database: z.string().prefault(DEFAULT_DATABASE),
  store: z.string().prefault(DEFAULT_STORE),
  demo: z.boolean('must be true or false').default(false),
  plans: z.string().default('plans.yaml'),
  replicas: count.default(1),
  trustedProxies: z.array(addressRange).default([]),
  logLevel: logLevel.default('info'),
  upstreams: upstreamsSchema,
  bans: banSettings,
  guard: guardSettings,
  keys: keySettings,
  rotation: rotationSettings,
  registry: z.strictObject({ staleFor: positiveDuration.prefault('15m') }).prefault({}),
  history: historySettings,
  redis: redisSettings,
  edge: edgeSettings,
  drain: drainSettings,
  cors: z.strictObject({ origins: z.array(origin).default([]) }).prefault({}),
  rateLimitHeaders: z
    .array(z.enum(['x', 'ietf']))
    .refine((list) => !Array.isArray(list) || list.includes('x'), {
      ...ALWAYS,
      message: 'must include x: every response carries X-RateLimit-*',
    })
    .default(['x', 'ietf']),
  afterSunset: z.enum(['serve', 'gone']).default('serve'),
  tls: tlsSchema,
  adminTokens: adminTokensSchema.default([]),
  admin: adminSettings.prefault({}),
  portal: portalSettings.prefault({}),
  events: eventsSettings,
});
