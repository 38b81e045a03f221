import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../../http/addresses.ts';
import { RESPONDED, type Exchange, type StepResult, type Step } from '../exchange/exchange.ts';
import { EXPOSE_HEADERS, mergeHeaderNames } from '../responses/header-names.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';

/** The headers that scripts may read: the gateway's own headers, and `ETag`, because conditional requests need it. */
const EXPOSED = [
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
const HEADER_NAMES = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

/** Whether scripts of an origin may call the API. */
type Allowed = (origin: string | undefined) => origin is string;

function allowedBy(origins: readonly string[]): Allowed {
  const known = new Set(origins);
  const any = known.has('*');
  return (origin): origin is string => origin !== undefined && (any || known.has(origin));
}

/** Lists the headers that scripts may read in every response. A service can add more. @param configured `cors.expose` */
export function exposedNames(configured: readonly string[]): readonly string[] {
  return [...EXPOSED, ...configured];
}

/**
 * Adds the headers that tell browsers which scripts may read the response.
 *
 * @param expose additional response headers that scripts may read
 */
export function createCorsHeaders(origins: readonly string[], expose: readonly string[]): Step {
  const allowed = allowedBy(origins);
  const exposed = mergeHeaderNames(exposedNames(expose), '');
  return function corsHeaders({ req, headers }) {
    headers.push('Vary', 'Origin');
    const { origin } = req.headers;
    if (allowed(origin)) {
      headers.push('Access-Control-Allow-Origin', origin, EXPOSE_HEADERS, exposed);
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
export function createPreflight({ origins, methods, addressLimiter, clientAddress }: PreflightOptions): Step {
  const allowed = allowedBy(origins);
  const allMethods = [...methods].join(', ');
  return function preflight(exchange) {
    return isPreflight(exchange.req) ? answer(exchange) : undefined;
  };

  async function answer(exchange: Exchange): Promise<StepResult> {
    const { req, res, headers } = exchange;
    exchange.kind = 'preflight';
    pushAddressLimitHeaders(exchange, await addressLimiter.peek(clientAddress(req)));
    headers.push('Vary', 'Access-Control-Request-Method, Access-Control-Request-Headers');
    if (allowed(req.headers.origin)) {
      headers.push('Access-Control-Allow-Methods', allMethods, 'Access-Control-Max-Age', MAX_AGE_SECONDS);
      const requestedNames = req.headers['access-control-request-headers'];
      if (requestedNames !== undefined && HEADER_NAMES.test(requestedNames))
        headers.push('Access-Control-Allow-Headers', requestedNames);
    }
    res.writeHead(204, headers).end();
    return RESPONDED;
  }
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
