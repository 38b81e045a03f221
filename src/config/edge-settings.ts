import { z } from 'zod';
import { count, positiveDuration, size } from '../base/units.ts';
import { markFixed, markLive, selectSchemas, collectSchemas } from './divided-settings.ts';
import { ALWAYS, isAbove } from '../base/zod-checks.ts';

/**
 * Headers that services trust because a proxy usually sets them: the caller's address, the original URL, the signed-in
 * user, and the client certificate. A caller could forge them, so services must not receive them.
 */
const HEADERS_DROPPED_BY_DEFAULT = [
  // The caller's address.
  'Client-IP',
  'CF-Connecting-IP*',
  'CF-Pseudo-IPv4',
  'Fastly-Client-IP',
  'Forwarded-For',
  'Proxy-Client-IP',
  'True-Client-IP',
  'WL-Proxy-Client-IP',
  'X-Appengine-User-IP',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Envoy-External-Address',
  'X-ProxyUser-IP',
  'X-Real-IP',
  // The original URL and protocol.
  'Front-End-Https',
  'X-Forwarded-*',
  'X-Original-*',
  'X-Scheme',
  'X-URL-Scheme',
  // The signed-in user, as set by authenticating proxies.
  'CF-Access-*',
  'Remote-*',
  'Tailscale-*',
  'X-Amzn-Oidc-*',
  'X-Anonymous-Consumer',
  'X-Auth-Request-*',
  'X-Authenticated-*',
  'X-Authentik-*',
  'X-Consumer-*',
  'X-Credential-*',
  'X-Goog-Authenticated-User-*',
  'X-Goog-IAP-*',
  'X-MS-Client-Principal*',
  'X-MS-Token-*',
  'X-Remote-*',
  'X-WebAuth-*',
  // The client certificate.
  'Client-Cert*',
  'SSL-Client-*',
  'X-Amzn-Mtls-*',
  'X-ARR-ClientCert',
  'X-Client-Cert*',
  'X-Client-DN',
  'X-Client-Verify',
  'X-SSL-*',
];

/** Headers that must not be dropped, because the request would mean something else without them. */
const REQUIRED_HEADERS = ['host', 'content-length', 'transfer-encoding', 'content-type'];

/** Names of request headers that services must not receive. A name that ends in `*` is a prefix. */
const dropHeaders = z
  .array(
    z
      .string()
      .regex(
        /^(?:[A-Za-z0-9!#$%&'+.^_`|~-]+|[A-Za-z0-9!#$%&'+.^_`|~-]{2,}\*)$/,
        'must be a header name, or a prefix of at least two letters followed by *',
      )
      .refine((pattern) => !REQUIRED_HEADERS.some((name) => matchesPattern(pattern.toLowerCase(), name)), {
        message: 'must not be dropped: without it, the request would mean something else',
      }),
  )
  .default(HEADERS_DROPPED_BY_DEFAULT);

function matchesPattern(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

const edge = {
  maxBody: markLive(size.prefault('1mb')),
  maxHeader: markFixed(size.prefault('16kb')),
  headersTimeout: markFixed(positiveDuration.prefault('10s')),
  requestTimeout: markFixed(positiveDuration.prefault('30s')),
  writeTimeout: markFixed(positiveDuration.prefault('30s')),
  keepAlive: markFixed(positiveDuration.prefault('75s')),
  maxConnections: markFixed(count.default(10_000)),
  maxConnectionsPerAddress: markFixed(count.optional()),
  maxTunnels: markFixed(count.default(100)),
  tunnelIdle: markFixed(positiveDuration.prefault('5m')),
  reusePort: markFixed(z.boolean('must be true or false').default(false)),
  dropHeaders: markLive(dropHeaders),
};

export const fixedEdge = selectSchemas(edge, 'fixed');
export const liveEdge = selectSchemas(edge, 'live');

/** `edge`: limits on connections, requests and bodies, and how long they may take. */
export const edgeSettings = z
  .strictObject(collectSchemas(edge))
  .refine((config) => !isAbove(config?.headersTimeout, config?.requestTimeout), {
    ...ALWAYS,
    path: ['headersTimeout'],
    message: 'must not be greater than edge.requestTimeout, which includes the headers',
  })
  .prefault({});

/** `guard`: how often an address may send invalid keys, and how often it may call without a key. */
export const guardSettings = z
  .strictObject({
    failedAttempts: count.default(20),
    publicRequests: count.default(60),
    within: positiveDuration.prefault('1m'),
  })
  .prefault({});
