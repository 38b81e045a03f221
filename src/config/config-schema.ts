import { z } from 'zod';
import { adminSettings } from './admin-settings.ts';
import { drainSettings } from './drain-settings.ts';
import { markDivided, markFixed, markLive, selectSchemas, collectSchemas } from './divided-settings.ts';
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
  database: markFixed(z.string().prefault(DEFAULT_DATABASE)),
  store: markFixed(z.string().prefault(DEFAULT_STORE)),
  demo: markFixed(z.boolean('must be true or false').default(false)),
  plans: markLive(z.string().default('plans.yaml')),
  replicas: markFixed(count.default(1)),
  trustedProxies: markLive(z.array(addressRange).default([])),
  logLevel: markLive(logLevel.default('info')),
  upstreams: markLive(upstreamsSchema),
  bans: markFixed(banSettings),
  guard: markLive(guardSettings),
  keys: markLive(keySettings),
  tokens: markLive(tokensSchema.default([])),
  rotation: markLive(rotationSettings),
  registry: markFixed(z.strictObject({ staleFor: positiveDuration.prefault('15m') }).prefault({})),
  history: markFixed(historySettings),
  redis: markFixed(redisSettings),
  edge: markDivided(edgeSettings),
  drain: markFixed(drainSettings),
  validation: markLive(validationSettings),
  cors: markLive(corsSettings),
  rateLimitHeaders: markLive(
    z
      .array(z.enum(['x', 'ietf']))
      .refine((list) => !Array.isArray(list) || list.includes('x'), {
        ...ALWAYS,
        message: 'must include x: every response carries X-RateLimit-*',
      })
      .default(['x', 'ietf']),
  ),
  afterSunset: markLive(z.enum(['serve', 'gone']).default('serve')),
  tls: markFixed(tlsSchema),
  adminTokens: markLive(adminTokensSchema.default([])),
  admin: markFixed(adminSettings.prefault({})),
  portal: markDivided(portalSettings.prefault({})),
  events: markFixed(eventsSettings),
};

/** The schema of the configuration file. Every object is strict, so an unknown setting is an error. */
export const configSchema = z.strictObject(collectSchemas(settings));

/** The settings of the file that stay the same until the next start. */
export const fixedSettings = z.object({
  ...selectSchemas(settings, 'fixed'),
  edge: z.object(fixedEdge),
  portal: z.object(fixedPortal),
});

/** The settings of the file that a reload replaces. */
export const liveSettings = z.object({
  ...selectSchemas(settings, 'live'),
  edge: z.object(liveEdge),
  portal: z.object(livePortal),
});
