import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { adminListenerSchema } from './admin-listener.ts';
import { adminTokensSchema } from './admin-tokens.ts';
import { dropHeaders } from './drop-headers.ts';
import { ALWAYS } from './always.ts';
import { duration, positiveDuration, size, span } from '../base/units.ts';

/** The shape of the configuration file. Every object is strict: an unknown key is a fault, never ignored. */

export const DEFAULT_DATABASE = 'sqlite:tollgate.db';
export const DEFAULT_STORE = 'embedded';

const count = z.int('must be a whole number').positive('must be at least 1');

/** Headers that the gateway itself sends, or that belong to the connection to the target. */
const NOT_CONFIGURABLE = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headers = z
  .record(z.string(), z.string('must be text, in quotes').regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'))
  .superRefine((given, context) => {
    for (const name of Object.keys(Object(given))) {
      if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !NOT_CONFIGURABLE.has(name.toLowerCase())) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'is no header that can be set for an upstream' });
    }
  }, ALWAYS);

const upstreamBase = {
  name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9 and -, starting with a letter'),
  openapi: z.string('must be the path of an OpenAPI document'),
  prefix: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'must be a path such as /store, without a slash at its end')
    .optional(),
  maxBody: size.optional(),
};

const moduleUpstream = z.strictObject({
  ...upstreamBase,
  module: z.string('must be the path of a module'),
  options: z.record(z.string(), z.unknown()).default({}),
});

const target = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
}, 'must be an http:// or https:// URL without query, fragment or user');

const httpUpstream = z.strictObject({
  ...upstreamBase,
  targets: z.array(target).min(1, 'must name at least one target'),
  headers: headers.default({}),
  timeouts: z
    .strictObject({
      connect: positiveDuration.prefault('1s'),
      response: positiveDuration.prefault('15s'),
      idle: positiveDuration.prefault('30s'),
    })
    .prefault({}),
  maxConnections: count.default(256),
  maxWaiting: z.int('must be a whole number').nonnegative('must not be below 0').default(1024),
  health: z
    .strictObject({ path: z.string().startsWith('/', 'must start with /'), every: positiveDuration.prefault('5s') })
    .optional(),
});

/** The two kinds are told apart by their keys, so that the faults of one are not hidden behind those of the other. */
const upstream = z
  .unknown()
  .transform((value, context): z.infer<typeof moduleUpstream> | z.infer<typeof httpUpstream> => {
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    if (keys.includes('module') === keys.includes('targets')) {
      context.addIssue({
        code: 'custom',
        message: 'must have either module (a service in this process) or targets (URLs of an HTTP service)',
      });
      return value as never;
    }
    const parsed = (keys.includes('module') ? moduleUpstream : httpUpstream).safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
    // Keep the value: its name is still checked against those of the others.
    return value as never;
  });

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

export const configSchema = z.strictObject({
  database: z.string().prefault(DEFAULT_DATABASE),
  store: z.string().prefault(DEFAULT_STORE),
  demo: z.boolean('must be true or false').default(false),
  plans: z.string().default('plans.yaml'),
  replicas: count.default(1),
  trustedProxies: z.array(addressRange).default([]),
  upstreams: z
    .array(upstream, 'must be a list of upstreams')
    .min(1, 'must name at least one upstream')
    .superRefine((list, context) => {
      const names = (Array.isArray(list) ? list : []).map((each) => each?.name);
      for (const [index, name] of names.entries()) {
        if (name !== undefined && names.indexOf(name) < index) {
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: `is taken: another upstream is named ${name}`,
          });
        }
      }
    }, ALWAYS),
  bans: z
    .strictObject({
      strikes: count.default(10),
      within: span.prefault('5m'),
      grace: duration.prefault('1s'),
      durations: z.array(span).min(1, 'must have at least one duration').prefault(['1m', '5m', '15m', '60m']),
      forgiveAfter: span.prefault('24h'),
    })
    .prefault({}),
  guard: z
    .strictObject({
      failedAttempts: count.default(20),
      publicRequests: count.default(60),
      within: positiveDuration.prefault('1m'),
    })
    .prefault({}),
  registry: z.strictObject({ staleFor: positiveDuration.prefault('15m') }).prefault({}),
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
  adminTokens: adminTokensSchema.default([]),
  admin: adminListenerSchema.prefault({}),
});

const limit = z.int('must be a positive whole number').positive('must be a positive whole number');

export const limitsSchema = z
  .strictObject({ minute: limit, day: limit })
  .refine((limits) => !(limits?.minute > limits?.day), {
    ...ALWAYS,
    message: 'the minute limit must not be above the day limit',
  });

export const planSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, _ and -, starting with a letter'),
    name: z.string().min(1, 'must not be empty').max(128, 'must be at most 128 characters'),
    description: z.string().max(1000, 'must be at most 1000 characters').default(''),
    limits: limitsSchema.nullable().default(null),
    custom: z.boolean().default(false),
    mode: z.enum(['enforce', 'shadow']).default('enforce'),
    onStoreFailure: z.enum(['local', 'open', 'closed']).default('local'),
  })
  .refine((plan) => typeof plan?.custom !== 'boolean' || plan.custom === (plan.limits === null), {
    ...ALWAYS,
    path: ['limits'],
    message: 'must be given, unless the plan is custom: then each key carries its own',
  });

export const plansSchema = z
  .strictObject({ plans: z.array(planSchema).min(1, 'must have at least one plan') })
  .superRefine((file, context) => {
    const ids = (Array.isArray(file?.plans) ? file.plans : []).map((plan) => plan?.id);
    for (const [index, id] of ids.entries()) {
      if (id !== undefined && ids.indexOf(id) < index) {
        context.addIssue({
          code: 'custom',
          path: ['plans', index, 'id'],
          message: `is taken: two plans are named ${id}`,
        });
      }
    }
  }, ALWAYS);
