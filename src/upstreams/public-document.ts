import { errors, type ErrorCode } from '../base/errors.ts';
import { METHODS } from './methods.ts';
import type { ApiDocument, JsonObject } from './openapi.ts';

interface Source {
  readonly name: string;
  readonly prefix?: string | undefined;
  readonly document: ApiDocument;
}

/**
 * The API as consumers may call it: the documents of all upstreams as one, with what the gateway adds to each
 * operation: the key, the rate-limit headers, and its own refusals.
 */
export function publicDocument(sources: readonly Source[]): JsonObject {
  const paths: Record<string, unknown> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const single = sources.length === 1;
  for (const { name, prefix = '', document } of sources) {
    // Components of several documents may share a name.
    const value = single ? document.value : renamed(document.value, name);
    for (const [path, item] of Object.entries(objectAt(value, 'paths'))) paths[prefix + path] = withRefusals(item);
    for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
      Object.assign((components[kind] ??= {}), entries);
    }
  }
  const info = sources[0]?.document.value['info'] ?? { title: 'API', version: '1.0.0' };
  return {
    openapi: '3.1.0',
    info: single ? info : { title: 'API', version: '1.0.0' },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }],
    paths,
    components: {
      ...components,
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      headers: { ...components['headers'], ...RATE_LIMIT_HEADERS },
      schemas: { ...components['schemas'], GatewayError: ERROR_SCHEMA },
    },
  };
}

const OPERATION_KEYS: ReadonlySet<string> = new Set(METHODS.map((method) => method.toLowerCase()));

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer' } });
const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': count('The limit of the window that is closest to its end.'),
  'X-RateLimit-Remaining': count('What is left of it.'),
  'X-RateLimit-Reset': count('When it resets: Unix time in seconds.'),
  'Retry-After': count('Seconds to wait before the next request.'),
  'X-Request-Id': text('Names this request in the logs.'),
};
const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};
const REFUSALS: Record<string, readonly ErrorCode[]> = {
  401: ['key_missing', 'key_invalid', 'key_expired', 'key_revoked'],
  403: ['key_banned', 'cost_exceeds_limit'],
  429: ['rate_limit_exceeded', 'quota_exceeded', 'too_many_failed_attempts'],
  503: ['store_unavailable', 'overloaded'],
};

/** For operations that need no key: if one is sent, it is checked as on any other operation. */
const PUBLIC_REFUSALS: Record<string, readonly ErrorCode[]> = {
  ...REFUSALS,
  401: ['key_invalid', 'key_expired', 'key_revoked'],
};
/** Security requirement: without a key, or with one. */
const KEY_OPTIONAL = [{}, { ApiKey: [] }];

function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const SENT_ALWAYS = headerReferences([
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]);

function refusalResponse(codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
    headers: { ...SENT_ALWAYS, ...headerReferences(['Retry-After']) },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } },
  };
}

function withRefusals(item: unknown): unknown {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, operation]) => {
      if (!OPERATION_KEYS.has(key) || !isObject(operation)) return [key, operation];
      const { security, ...rest } = operation;
      const open = Array.isArray(security) && security.length === 0;
      const responses = Object.fromEntries(
        Object.entries(objectAt(operation, 'responses')).map(([status, response]) => [status, withHeaders(response)]),
      );
      for (const [status, codes] of Object.entries(open ? PUBLIC_REFUSALS : REFUSALS)) {
        responses[status] = refusalResponse(codes);
      }
      return [key, { ...rest, ...(open ? { security: KEY_OPTIONAL } : {}), responses }];
    }),
  );
}

function withHeaders(response: unknown): unknown {
  if (!isObject(response) || '$ref' in response) return response;
  return { ...response, headers: { ...objectAt(response, 'headers'), ...SENT_ALWAYS } };
}

/** The document with each component's name prefixed with the upstream's. */
function renamed(value: JsonObject, name: string): JsonObject {
  const walk = (node: unknown, depth: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((each) => walk(each, depth));
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, child]) => {
        if (key === '$ref' && typeof child === 'string') {
          return [key, child.replace(/^(#\/components\/[^/]+\/)/, `$1${name}.`)];
        }
        const isComponent = depth.length === 2 && depth[0] === 'components';
        return [isComponent ? `${name}.${key}` : key, walk(child, [...depth, key])];
      }),
    );
  };
  return walk(value, []) as JsonObject;
}

function objectAt(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
