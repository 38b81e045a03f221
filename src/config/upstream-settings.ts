import { z } from 'zod';
import { CONNECTION_HEADERS } from '../http/headers.ts';
import { SECOND_MS } from '../base/time.ts';
import { socketPath } from '../base/target-urls.ts';
import { count, positiveDuration, size } from '../base/units.ts';
import { HOST } from '../http/framing.ts';
import { SCOPES_MODES } from '../openapi/required-scopes.ts';
import { VALIDATION_MODES } from '../domain/validation-mode.ts';
import { ALWAYS } from '../base/zod-checks.ts';
import { plainUrl, findRepeated } from './schema-parts.ts';

/** Headers that cannot be configured, because the gateway sets them itself or they belong to the connection. */
const NOT_CONFIGURABLE = new Set([...CONNECTION_HEADERS, 'content-length', 'expect', 'host', 'trailer']);

const headers = z
  .record(z.string(), z.string('must be text, in quotes').regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'))
  .superRefine((headerMap, context) => {
    for (const name of Object.keys(Object(headerMap))) {
      if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !NOT_CONFIGURABLE.has(name.toLowerCase())) continue;
      const hint = name.toLowerCase() === 'host' ? ': use the setting host' : '';
      const message = `is not a header that can be set for an upstream${hint}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }, ALWAYS);

/** Whether the setting `openapi` is a URL instead of a file. */
export function isUrl(openapi: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(openapi);
}

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be 1 to 64 characters of a-z, 0-9 and -, starting with a letter');

/** Settings for how the gateway uses a service. A reload applies them without opening the service again. */
export const serviceUseSettings = {
  openapi: z
    .string('must be the path of an OpenAPI document')
    .refine((file) => !isUrl(file), 'is a URL: download the document, and use the path of the file'),
  overlays: z
    .array(
      z
        .string('must be the path of an OpenAPI overlay')
        .refine((file) => !isUrl(file), 'is a URL: download the overlay, and use the path of the file'),
      'must be a list of OpenAPI overlays',
    )
    .optional(),
  prefix: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'must be a path such as /store, without a trailing slash')
    .optional(),
  idPrefix: z
    .string()
    .regex(/^[A-Za-z0-9._:/-]{1,64}$/, 'must be 1 to 64 characters of A-Z, a-z, 0-9, . _ : / and -, such as "shop."')
    .optional(),
  events: z.boolean().optional(),
  encodedSlashes: z.enum(['refuse', 'pass']).optional(),
  maxBody: size.optional(),
  validation: z.enum(VALIDATION_MODES).default('off'),
  scopes: z.enum(SCOPES_MODES).default('ignore'),
  candidate: z
    .string('must be the path of an OpenAPI document')
    .refine((file) => !isUrl(file), 'is a URL: download the document, and use the path of the file')
    .optional(),
};

/** Settings for creating a service in this process. They cannot change until the next start. */
export const moduleServiceSettings = {
  module: z.string('must be the path of a module, or petstore'),
  options: z.record(z.string(), z.unknown()).default({}),
};

export const moduleUpstream = z.strictObject({ name, ...serviceUseSettings, ...moduleServiceSettings });

const pemFile = z.string('must be the path of a PEM file').min(1, 'must be the path of a PEM file').optional();

const targetTls = z
  .strictObject({ ca: pemFile, cert: pemFile, key: pemFile })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), 'must have both cert and key, or neither');

/**
 * Maximum length of a Unix socket's path, in bytes. It is checked here because the system would refuse a longer path
 * only on connecting. macOS allows 103.
 */
const MAX_SOCKET_PATH_BYTES = 107;

const socketTarget = z
  .string()
  .regex(/^unix:\/[^/\0][^\0]*$/, 'must be unix: and the absolute path of a socket, such as unix:/run/app.sock')
  .refine(
    (target) => Buffer.byteLength(socketPath(target) ?? '') <= MAX_SOCKET_PATH_BYTES,
    `has a path of more than ${MAX_SOCKET_PATH_BYTES} bytes, which the system does not allow for a socket`,
  );

/** A URL or a Unix socket. */
const target = z.string('must be text').superRefine((text, context) => {
  const { error } = (socketPath(text) === null ? plainUrl : socketTarget).safeParse(text);
  for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
});

/** Default of `timeouts.wait`. If `timeouts.response` is shorter, that is the default. */
const DEFAULT_WAIT_MS = 5 * SECOND_MS;

const timeouts = z
  .strictObject({
    connect: positiveDuration.prefault('1s'),
    wait: positiveDuration.optional(),
    response: positiveDuration.prefault('15s'),
    idle: positiveDuration.prefault('30s'),
  })
  .refine(({ wait = 0, response }) => wait <= response, {
    path: ['wait'],
    message: 'must be at most timeouts.response, which limits the wait and the response together',
  })
  .transform(({ wait, ...others }) => ({ ...others, wait: wait ?? Math.min(DEFAULT_WAIT_MS, others.response) }));

/** Maximum of `maxResponseHeader`. A larger value is probably a mistake. */
const MAX_RESPONSE_HEADER_BYTES = 1024 ** 2;

/** Settings for the connections to an HTTP service. If one of them changes, a reload opens new connections. */
export const httpServiceSettings = {
  targets: z.array(target).min(1, 'must name at least one target'),
  host: z
    .string('must be target, client, or the name of a host')
    .refine(
      (host) => HOST.test(host),
      'must be target, client, or a host such as api.example.com or api.example.com:8080',
    )
    .default('target'),
  headers: headers.default({}),
  timeouts: timeouts.prefault({}),
  tls: targetTls.optional(),
  maxConnections: count.default(256),
  maxWaiting: z.int('must be a whole number').nonnegative('must not be negative').default(1024),
  maxStreams: z.int('must be a whole number').nonnegative('must not be negative').default(1024),
  maxConnectionAge: positiveDuration.prefault('5m'),
  maxResponseHeader: size.refine((bytes) => bytes <= MAX_RESPONSE_HEADER_BYTES, 'must be at most 1mb').prefault('16kb'),
  health: z
    .strictObject({ path: z.string().startsWith('/', 'must start with /'), every: positiveDuration.prefault('5s') })
    .optional(),
};

export const httpUpstream = z.strictObject({ name, ...serviceUseSettings, ...httpServiceSettings });

/** The kind of an upstream is decided by its keys, so that only errors of that kind are reported. */
const upstream = z
  .unknown()
  .transform((value, context): z.infer<typeof moduleUpstream> | z.infer<typeof httpUpstream> => {
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    if (keys.includes('module') === keys.includes('targets')) {
      context.addIssue({
        code: 'custom',
        message: 'must have exactly one of module (a service in this process) and targets (URLs of an HTTP service)',
      });
      return value as never;
    }
    const parsed = (keys.includes('module') ? moduleUpstream : httpUpstream).safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
    // Return the value, so that the check for duplicate names includes this upstream.
    return value as never;
  });

export const upstreamsSchema = z
  .array(upstream, 'must be a list of upstreams')
  .min(1, 'must name at least one upstream')
  .superRefine((upstreams, context) => {
    for (const { index, value: name } of findRepeated(upstreams, 'name')) {
      const message = `is used twice: another upstream is named ${name}`;
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  }, ALWAYS);
