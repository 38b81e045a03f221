import { z } from 'zod';
import { adminSettings } from './admin-settings.ts';
import { drainSettings } from './drain-settings.ts';
import { divided, fixed, live, schemasIn, allSchemas } from './divided-settings.ts';
import { fixedPortal, livePortal, portalSettings } from './portal-settings.ts';
import { adminTokensSchema } from './admin-token-settings.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { addressRange, tlsSchema } from './schema-parts.ts';
import { banSettings } from './ban-settings.ts';
import { corsSettings } from './cors-settings.ts';
import { edgeSettings, fixedEdge, guardSettings, liveEdge } from './edge-settings.ts';
import { keySettings, rotationSettings } from './key-settings.ts';
import { historySettings } from './history-settings.ts';
import { redisSettings } from './redis-settings.ts';
import { eventsSettings } from './event-settings.ts';
import { logLevel } from './environment.ts';
import { tokensSchema } from './token-settings.ts';
import { upstreamsSchema } from './upstream-settings.ts';
import { validationSettings } from './validation-settings.ts';
import { count, positiveDuration } from '../base/units.ts';

export const DEFAULT_DATABASE = 'sqlite:tollgate.db';
export const DEFAULT_STORE = 'embedded';

const settings = {
  database: fixed(z.string().prefault(DEFAULT_DATABASE)),
  store: fixed(z.string().prefault(DEFAULT_STORE)),
  demo: fixed(z.boolean('must be true or false').default(false)),
  plans: live(z.string().default('plans.yaml')),
  replicas: fixed(count.default(1)),
  trustedProxies: live(z.array(addressRange).default([])),
  logLevel: live(logLevel.default('info')),
  upstreams: live(upstreamsSchema),
  bans: fixed(banSettings),
  guard: live(guardSettings),
  keys: live(keySettings),
  tokens: live(tokensSchema.default([])),
  rotation: live(rotationSettings),
  registry: fixed(z.strictObject({ staleFor: positiveDuration.prefault('15m') }).prefault({})),
  history: fixed(historySettings),
  redis: fixed(redisSettings),
  edge: divided(edgeSettings),
  drain: fixed(drainSettings),
  validation: live(validationSettings),
  cors: live(corsSettings),
  rateLimitHeaders: live(
    z
      .array(z.enum(['x', 'ietf']))
      .refine((list) => !Array.isArray(list) || list.includes('x'), {
        ...ALWAYS,
        message: 'must include x: every response carries X-RateLimit-*',
      })
      .default(['x', 'ietf']),
  ),
  afterSunset: live(z.enum(['serve', 'gone']).default('serve')),
  tls: fixed(tlsSchema),
  adminTokens: live(adminTokensSchema.default([])),
  admin: fixed(adminSettings.prefault({})),
  portal: divided(portalSettings.prefault({})),
  events: fixed(eventsSettings),
};

/** The schema of the configuration file. Every object is strict, so an unknown setting is an error. */
export const configSchema = z.strictObject(allSchemas(settings));

/** The settings of the file that stay the same until the next start. */
export const fixedSettings = z.object({
  ...schemasIn(settings, 'fixed'),
  edge: z.object(fixedEdge),
  portal: z.object(fixedPortal),
});

/** The settings of the file that a reload replaces. */
export const liveSettings = z.object({
  ...schemasIn(settings, 'live'),
  edge: z.object(liveEdge),
  portal: z.object(livePortal),
});
