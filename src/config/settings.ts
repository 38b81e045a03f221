import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { adminListenerSchema } from './listeners/admin-listener.ts';
import { adminTokensSchema } from './admin-tokens.ts';
import { banSettings } from './ban-settings.ts';
import { dropHeaders } from './drop-headers.ts';
import { logLevel } from './environment.ts';
import { tlsSchema } from './listeners/tls.ts';
import { portalSchema } from './listeners/portal-listener.ts';
import { ALWAYS } from './always.ts';
import { upstreamsSchema } from './upstream-settings.ts';
import { count, duration, positiveDuration, size, span } from '../base/units.ts';

/** The shape of the configuration file. Every object is strict: an unknown key is a fault, never ignored. */

export const DEFAULT_DATABASE = 'sqlite:tollgate.db';
export const DEFAULT_STORE = 'embedded';

const MIN_EVENTS_KEEP_MS = 7 * 86_400_000;

const addressRange = z.string().refine((text) => {
  try {
    proxyAddr.compile(text);
    // Refuse the names that proxy-addr has for ranges.
    return /^[0-9a-f.:]+(\/\d+)?$/i.test(text);
  } catch {
    return false;
  }
}, 'must be an IP address or a CIDR range such as 10.0.0.0/8');

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
    'must be an origin such as https://app.example.com, or "*"',
  );

const port = z.int('must be a port').min(1, 'must be a port').max(65_535, 'must be a port');

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
  guard: z
    .strictObject({
      failedAttempts: count.default(20),
      publicRequests: count.default(60),
      within: positiveDuration.prefault('1m'),
    })
    .prefault({}),
  registry: z.strictObject({ staleFor: positiveDuration.prefault('15m') }).prefault({}),
  history: z
    .strictObject({
      keep: z
        .strictObject({ minutes: span.prefault('48h'), hours: span.prefault('90d'), days: span.prefault('730d') })
        .prefault({}),
    })
    .prefault({}),
  redis: z
    .strictObject({
      commandTimeout: positiveDuration.prefault('100ms'),
      keyPrefix: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,32}$/, 'must be 1 to 32 of A-Z, a-z, 0-9, _ . and -')
        .default('tg'),
    })
    .prefault({}),
  edge: z
    .strictObject({
      maxBody: size.prefault('1mb'),
      maxHeader: size.prefault('16kb'),
      headersTimeout: positiveDuration.prefault('10s'),
      requestTimeout: positiveDuration.prefault('30s'),
      writeTimeout: positiveDuration.prefault('30s'),
      keepAlive: positiveDuration.prefault('75s'),
      maxConnections: count.default(10_000),
      maxTunnels: count.default(100),
      tunnelIdle: positiveDuration.prefault('5m'),
      reusePort: z.boolean('must be true or false').default(false),
      dropHeaders,
    })
    .refine((edge) => !(edge?.headersTimeout > edge?.requestTimeout), {
      ...ALWAYS,
      path: ['headersTimeout'],
      message: 'must not be above edge.requestTimeout: the head is a part of the request',
    })
    .prefault({}),
  drain: z.strictObject({ lameDuck: duration.prefault('0s'), deadline: duration.prefault('10s') }).prefault({}),
  cors: z.strictObject({ origins: z.array(origin).default([]) }).prefault({}),
  rateLimitHeaders: z
    .array(z.enum(['x', 'ietf']))
    .refine((list) => !Array.isArray(list) || list.includes('x'), {
      ...ALWAYS,
      message: 'must name x: every answer of the interface carries X-RateLimit-*',
    })
    .default(['x', 'ietf']),
  afterSunset: z.enum(['serve', 'gone']).default('serve'),
  tls: tlsSchema,
  adminTokens: adminTokensSchema.default([]),
  admin: adminListenerSchema.prefault({}),
  portal: portalSchema.prefault({}),
  events: z
    .strictObject({
      keep: span
        .refine((ms) => ms >= MIN_EVENTS_KEEP_MS, 'must be at least 7d: deliveries are tried for days')
        .prefault('30d'),
      allowPrivate: z
        .union([z.boolean(), z.array(addressRange)], 'must be true, false, or a list of ranges such as 10.0.0.0/8')
        .default(false),
      // Absent: any.
      ports: z.array(port).min(1, 'must have at least one port').optional(),
    })
    .prefault({}),
});
