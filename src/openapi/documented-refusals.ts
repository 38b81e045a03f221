import { errors, type CallErrorCode } from '../domain/error-codes.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { objectAt, withoutServers } from './components.ts';
import { type GatewaySecurity, KEY_REQUIREMENTS, type ServiceSecurity } from './service-security.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer' } });
export const GATEWAY_HEADERS = {
  'X-RateLimit-Limit': count('The limit of the window with the fewest requests left.'),
  'X-RateLimit-Remaining': count('Requests left in that window.'),
  'X-RateLimit-Reset': count('When that window resets: Unix time in seconds.'),
  'Retry-After': count('Seconds to wait before the next request.'),
  'X-Should-Retry': text('`false` if a retry cannot succeed, at least not within the next minute. Otherwise absent.'),
  'X-Request-Id': text('Identifies this request in the logs.'),
  'X-Key-Expires': text(
    'When the key stops working, at the latest (an HTTP date). Sent only if the key was replaced by another one and stops ' +
      'working once it is no longer used.',
  ),
};
export const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};
/** The refusals that operations share, by the name of their component. */
const REFUSALS = {
  GatewayKeyRefused: ['key_missing', 'key_invalid', 'key_expired', 'key_revoked'],
  GatewaySentKeyRefused: ['key_invalid', 'key_expired', 'key_revoked'],
  GatewayRequestInvalid: ['validation_failed', 'bad_request'],
  GatewayNotAllowed: ['key_banned', 'operation_not_allowed', 'address_not_allowed', 'cost_exceeds_limit'],
  GatewayActionNotAllowed: ['operation_not_allowed', 'address_not_allowed'],
  GatewayAddressNotAllowed: ['address_not_allowed'],
  GatewayBodyTooLarge: ['body_too_large'],
  GatewayLimitReached: [
    'rate_limit_exceeded',
    'quota_exceeded',
    'too_many_concurrent_requests',
    'too_many_failed_attempts',
  ],
  GatewayOwnLimitReached: ['rate_limit_exceeded', 'too_many_failed_attempts'],
  GatewayNotAvailable: ['store_unavailable', 'overloaded', 'upstream_busy'],
  GatewayOwnNotAvailable: ['store_unavailable', 'overloaded'],
} as const satisfies Record<string, readonly CallErrorCode[]>;

/** Further refusals where access tokens are accepted. */
const TOKEN_REFUSALS: Readonly<Partial<Record<keyof typeof REFUSALS, readonly CallErrorCode[]>>> = {
  GatewayKeyRefused: ['token_invalid', 'token_expired'],
  GatewaySentKeyRefused: ['token_invalid', 'token_expired'],
  GatewayNotAllowed: ['caller_unknown'],
  GatewayAddressNotAllowed: ['caller_unknown'],
  GatewayNotAvailable: ['token_keys_unavailable'],
  GatewayOwnNotAvailable: ['token_keys_unavailable'],
};

/** Summaries of responses that share a status, for a credential. */
const SUMMARIES: Readonly<Record<number, string>> = {
  400: 'The request does not fit this document.',
  401: 'The CREDENTIAL is missing or cannot be used.',
  403: 'The CREDENTIAL may not be used for this call.',
  429: 'A limit has been reached.',
  503: 'The call could not be handled at the moment.',
};

type RefusalsByStatus = Readonly<Record<string, keyof typeof REFUSALS>>;

const SERVICE_REFUSALS: RefusalsByStatus = {
  401: 'GatewayKeyRefused',
  403: 'GatewayNotAllowed',
  429: 'GatewayLimitReached',
  503: 'GatewayNotAvailable',
};
/** Refusals of operations that need no key. A key that is sent anyway is checked as for any other operation. */
const OF_PUBLIC: RefusalsByStatus = { ...SERVICE_REFUSALS, 401: 'GatewaySentKeyRefused' };
/**
 * Refusals of the gateway's own endpoints. These serve keys that are banned or out of quota, and have their own limit.
 */
const OF_OWN: RefusalsByStatus = {
  ...SERVICE_REFUSALS,
  403: 'GatewayAddressNotAllowed',
  429: 'GatewayOwnLimitReached',
  503: 'GatewayOwnNotAvailable',
};
/**
 * Refusals of the gateway's own endpoints that change something. These endpoints can be turned off, and they read a
 * body.
 */
const OF_OWN_ACTIONS: RefusalsByStatus = { ...OF_OWN, 403: 'GatewayActionNotAllowed', 413: 'GatewayBodyTooLarge' };

/** The statuses for which the gateway's own response replaces the service's in the document. */
export const REPLACED_STATUSES: ReadonlySet<string> = new Set([...Object.keys(SERVICE_REFUSALS), '410']);

function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const USUAL_HEADERS = headerReferences([
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Key-Expires',
]);

function refusalResponse(codes: readonly CallErrorCode[], credential = 'API key'): JsonObject {
  const [first] = codes;
  const template = first === undefined || codes.length === 1 ? undefined : SUMMARIES[errors[first].status];
  const summary = template === undefined ? [] : [template.replace('CREDENTIAL', credential)];
  return {
    description: [...summary, ...codes.map((code) => `\`${code}\`: ${errors[code].message}`)].join('\n\n'),
    headers: { ...USUAL_HEADERS, ...headerReferences(['Retry-After', 'X-Should-Retry']) },
    content: { 'application/json': { schema: codes.some((code) => code === 'validation_failed') ? DETAILED : ERROR } },
  };
}

const ERROR = { $ref: '#/components/schemas/GatewayError' };
const DETAIL = {
  type: 'object',
  required: ['path', 'message'],
  properties: {
    path: {
      type: 'string',
      description: '`/query/NAME`, `/path/NAME`, `/header/NAME`, `/cookie/NAME`, or a JSON pointer into the body.',
    },
    message: { type: 'string' },
  },
};
const DETAILED = {
  allOf: [ERROR, { type: 'object', properties: { details: { type: 'array', items: DETAIL } } }],
};

/** Creates the refusals as components, because thousands of operations share them. */
export function createRefusalResponses({ acceptsTokens, enforcesScopes }: GatewaySecurity): JsonObject {
  const names = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[];
  const responses = names.map((name) => {
    const codes: CallErrorCode[] = [...REFUSALS[name], ...((acceptsTokens ? TOKEN_REFUSALS[name] : null) ?? [])];
    if (name === 'GatewayNotAllowed' && acceptsTokens && enforcesScopes) codes.push('insufficient_scope');
    return [name, refusalResponse(codes, acceptsTokens ? 'API key or access token' : 'API key')];
  });
  return Object.fromEntries(responses) as JsonObject;
}

/** @param brownouts as in the upstream's document */
function brownoutResponse(brownouts: readonly { from: string; to: string }[]): JsonObject {
  const { description, ...rest } = refusalResponse(['operation_brownout']);
  const times = brownouts.map(({ from, to }) => `- from ${from} to ${to}`);
  return { ...rest, description: `${String(description)}\n\n${times.join('\n')}` };
}

/**
 * Adds the gateway's own refusals and headers to each operation of a path item.
 *
 * @param service the service that has the operations; null: they are the gateway's own
 * @param isEnforced whether the gateway refuses requests that do not fit an operation
 */
export function withRefusals(
  item: unknown,
  service: ServiceSecurity | null,
  gateway: GatewaySecurity,
  isEnforced: (operation: JsonObject) => boolean = () => false,
): unknown {
  const listRefusals = (method: string) => {
    if (service !== null) return SERVICE_REFUSALS;
    return method === 'get' ? OF_OWN : OF_OWN_ACTIONS;
  };
  // A caller with an access token cannot change its own key.
  const readRequirements = (method: string, operation: JsonObject) => {
    if (service !== null) return service.requirementsOf(operation);
    return method !== 'get' && gateway.acceptsTokens ? KEY_REQUIREMENTS : undefined;
  };
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(servedPart(item)).map(([key, operation]) => {
      if (!OPERATION_KEYS.has(key) || !isObject(operation)) return [key, operation];
      const { security: given, ...rest } = operation;
      const open = Array.isArray(given) && given.length === 0;
      const security = open ? gateway.optional : readRequirements(key, operation);
      const responses = Object.fromEntries(
        Object.entries(objectAt(operation, 'responses')).map(([status, response]) => [status, withHeaders(response)]),
      );
      // A service's own description of this status stays, because requests that fit may still get that response.
      if (isEnforced(operation)) responses['400'] ??= { $ref: '#/components/responses/GatewayRequestInvalid' };
      for (const [status, name] of Object.entries(open ? OF_PUBLIC : listRefusals(key))) {
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
      const brownouts = operation['x-brownouts'];
      if (Array.isArray(brownouts) && brownouts.length > 0) responses['410'] = brownoutResponse(brownouts);
      return [key, { ...rest, ...(security === undefined ? {} : { security }), responses }];
    }),
  );
}

/** Removes TRACE, which the gateway never forwards, and `servers` from a path item. */
function servedPart(item: JsonObject): JsonObject {
  const { trace: _, ...served } = withoutServers(item);
  return served;
}

function withHeaders(response: unknown): unknown {
  if (!isObject(response) || '$ref' in response) return response;
  return { ...response, headers: { ...objectAt(response, 'headers'), ...USUAL_HEADERS } };
}
