import { z } from 'zod';
import { count, positiveDuration, size } from '../base/units.ts';
import { fixed, live, schemasIn, allSchemas } from './divided-settings.ts';
import { ALWAYS, isAbove } from '../base/zod-checks.ts';

/**
 * Headers that services trust because a proxy usually sets them: the caller's address, the original URL, the signed-in
 * user, and the client certificate. A caller could forge them, so services must not receive them.
 */
const DROPPED_BY_DEFAULT = [
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
const NEEDED = ['host', 'content-length', 'transfer-encoding', 'content-type'];

/** Names of request headers that services must not receive. A name that ends in `*` is a prefix. */
const dropHeaders = z
  .array(
    z
      .string()
      .regex(
        /^(?:[A-Za-z0-9!#$%&'+.^_`|~-]+|[A-Za-z0-9!#$%&'+.^_`|~-]{2,}\*)$/,
        'must be a header name, or a prefix of at least two letters followed by *',
      )
      .refine((pattern) => !NEEDED.some((name) => matches(pattern.toLowerCase(), name)), {
        message: 'must not be dropped: without it, the request would mean something else',
      }),
  )
  .default(DROPPED_BY_DEFAULT);

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

const edge = {
  maxBody: live(size.prefault('1mb')),
  maxHeader: fixed(size.prefault('16kb')),
  headersTimeout: fixed(positiveDuration.prefault('10s')),
  requestTimeout: fixed(positiveDuration.prefault('30s')),
  writeTimeout: fixed(positiveDuration.prefault('30s')),
  keepAlive: fixed(positiveDuration.prefault('75s')),
  maxConnections: fixed(count.default(10_000)),
  maxConnectionsPerAddress: fixed(count.optional()),
  maxTunnels: fixed(count.default(100)),
  tunnelIdle: fixed(positiveDuration.prefault('5m')),
  reusePort: fixed(z.boolean('must be true or false').default(false)),
  dropHeaders: live(dropHeaders),
};

export const fixedEdge = schemasIn(edge, 'fixed');
export const liveEdge = schemasIn(edge, 'live');

/** `edge`: limits on connections, requests and bodies, and how long they may take. */
export const edgeSettings = z
  .strictObject(allSchemas(edge))
  .refine((given) => !isAbove(given?.headersTimeout, given?.requestTimeout), {
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
