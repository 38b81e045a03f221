import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../../http/addresses.ts';
import { RESPONDED, type Exchange, type StepResult, type Step } from '../exchange/exchange.ts';
import { EXPOSE_HEADERS, mergeHeaderNames } from '../responses/header-names.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';

/** The headers that scripts may read: the gateway's own headers, and `ETag`, because conditional requests need it. */
const ALWAYS_EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Degraded',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'X-Should-Retry',
  'Deprecation',
  'Sunset',
  'Link',
  'X-Stability-Level',
  'X-Key-Expires',
  'X-Request-Id',
];
/** How long a browser may cache the response to a preflight. */
const MAX_AGE_SECONDS = '600';
const HEADER_NAMES_PATTERN = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

/** Whether scripts of an origin may call the API. */
type IsAllowedOrigin = (origin: string | undefined) => origin is string;

function createIsAllowedOrigin(origins: readonly string[]): IsAllowedOrigin {
  const allowedOrigins = new Set(origins);
  const allowsAny = allowedOrigins.has('*');
  return (origin): origin is string => origin !== undefined && (allowsAny || allowedOrigins.has(origin));
}

/** Lists the headers that scripts may read in every response. A service can add more. @param configuredNames `cors.expose` */
export function listExposedHeaders(configuredNames: readonly string[]): readonly string[] {
  return [...ALWAYS_EXPOSED_HEADERS, ...configuredNames];
}

/**
 * Adds the headers that tell browsers which scripts may read the response.
 *
 * @param configuredNames additional response headers that scripts may read
 */
export function createCorsHeadersStep(origins: readonly string[], configuredNames: readonly string[]): Step {
  const isAllowedOrigin = createIsAllowedOrigin(origins);
  const exposedNames = mergeHeaderNames(listExposedHeaders(configuredNames), '');
  return function corsHeaders({ req, headers }) {
    headers.push('Vary', 'Origin');
    const { origin } = req.headers;
    if (isAllowedOrigin(origin)) {
      headers.push('Access-Control-Allow-Origin', origin, EXPOSE_HEADERS, exposedNames);
    }
    return undefined;
  };
}

interface PreflightOptions {
  readonly origins: readonly string[];
  readonly methods: ReadonlySet<string>;
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
}

/** Responds to preflights. Browsers send no key with a preflight, so nothing is charged. */
export function createPreflightStep({ origins, methods, addressLimiter, clientAddress }: PreflightOptions): Step {
  const isAllowedOrigin = createIsAllowedOrigin(origins);
  const allMethods = [...methods].join(', ');
  return function preflight(exchange) {
    return isPreflight(exchange.req) ? respondToPreflight(exchange) : undefined;
  };

  async function respondToPreflight(exchange: Exchange): Promise<StepResult> {
    const { req, res, headers } = exchange;
    exchange.kind = 'preflight';
    pushAddressLimitHeaders(exchange, await addressLimiter.peek(clientAddress(req)));
    headers.push('Vary', 'Access-Control-Request-Method, Access-Control-Request-Headers');
    if (isAllowedOrigin(req.headers.origin)) {
      headers.push('Access-Control-Allow-Methods', allMethods, 'Access-Control-Max-Age', MAX_AGE_SECONDS);
      const requestedNames = req.headers['access-control-request-headers'];
      if (requestedNames !== undefined && HEADER_NAMES_PATTERN.test(requestedNames))
        headers.push('Access-Control-Allow-Headers', requestedNames);
    }
    res.writeHead(204, headers).end();
    return RESPONDED;
  }
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
