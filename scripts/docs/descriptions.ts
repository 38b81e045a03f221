/**
 * Descriptions of the settings, in Markdown, by the names of the schema. The documents describe settings nowhere else.
 */
export const SETTINGS: Readonly<Record<string, string>> = {
  database:
    'where records are stored: keys, plans, the audit log ([which to choose](#choosing-a-database-and-a-store))',
  store: 'where counters and bans are stored',
  demo: 'create a demo key and a few pets at the first start (on in the shipped file)',
  plans: 'the file with the [plans](plans.md) that an empty database starts with',
  replicas:
    'number of gateways; while Redis is unavailable, each one enforces its share of the limits ([the bound](failures.md#the-bound))',
  trustedProxies:
    'proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted (addresses or CIDR ranges); exempt from `maxConnectionsPerAddress`',
  logLevel: 'minimum level of [log messages](logs.md)',
  upstreams: 'the services behind the gateway; at least one ([how to connect a service](../upstream-teams.md))',
  'bans.strikes':
    'number of strikes (calls before `Retry-After` has passed) that ban a key, or a tenth of its minute limit if that is more',
  'bans.within': 'period within which strikes are counted',
  'bans.grace': 'calls this soon after the first refusal are not strikes, because they were already in flight',
  'bans.patience':
    'a refused call is not a strike if the previous refused call was at least this long ago; a new `grace` then starts',
  'bans.durations': 'length of the first ban, the second, and so on; the last value repeats',
  'bans.forgiveAfter': 'if this much time passes after a ban ends, the next one starts at the first length again',
  'guard.failedAttempts': 'allowed attempts with an invalid key, per address',
  'guard.publicRequests': 'allowed calls to public operations without a key, per address',
  'guard.within': 'period for both limits',
  'keys.foreign':
    'which header keys of another gateway are sent in, and what they look like ([how](keys.md#moving-from-another-gateway))',
  'keys.selfRevoke': 'whether anyone who has the secret of a key can [revoke it](keys.md#leaked-keys)',
  tokens: 'identity providers whose [access tokens](tokens.md) are accepted beside API keys',
  'rotation.quietFor':
    'how long a replaced key must go unused before it expires, if it was [rotated until quiet](keys.md#rotating-until-quiet)',
  'rotation.maxGrace': 'how long such a key works at most',
  'registry.staleFor': 'how long known keys work while the database is unavailable',
  'history.keep.minutes': 'retention of the [history](history.md) per minute',
  'history.keep.hours': 'retention per hour; hours and days are deleted in whole days, up to a day late',
  'history.keep.days': 'retention per day; the list of callers of each operation is kept as long as their keys',
  'redis.commandTimeout': 'maximum time a request waits for Redis',
  'redis.keyPrefix': 'prefix of all Redis keys; keeps installations on one server apart',
  'edge.maxBody': 'larger bodies are refused with 413; an upstream can have its own limit',
  'edge.maxHeader': 'larger headers are refused with 431',
  'edge.headersTimeout': 'time limit for receiving the headers of a request',
  'edge.requestTimeout': 'time limit for receiving a whole request',
  'edge.writeTimeout': 'a client that does not read any of its response for this long is disconnected',
  'edge.keepAlive': 'how long a connection may be idle; set it above the idle timeout of your load balancer',
  'edge.maxConnections': 'maximum number of open connections; additional ones are rejected',
  'edge.maxConnectionsPerAddress':
    'maximum number of open connections per address (IPv6: per /64); `trustedProxies` are exempt; off by default',
  'edge.maxTunnels':
    'maximum number of open WebSockets and other upgraded connections per key or, without a key, per address (IPv6: per /64)',
  'edge.tunnelIdle': 'an upgraded connection without traffic for this long is closed',
  'edge.reusePort': 'let several gateways on one machine listen on the same port (Linux)',
  'edge.dropHeaders':
    'request headers removed before a service sees them ([why](../upstream-teams.md#what-your-service-receives))',
  'drain.lameDuck': 'on SIGTERM: how long to keep accepting requests while `/readyz` reports not ready',
  'drain.deadline': 'on SIGTERM: requests still running after this time are aborted',
  'validation.maxBody':
    'maximum size of a body that is [compared with the document](validation.md); with `enforce`, larger ones are refused with 413',
  'validation.maxBuffered': 'maximum memory for all bodies that are kept for this',
  'cors.origins': 'origins of browser applications that may call the API',
  'cors.expose':
    'response headers of services that scripts may read, besides those that [a service exposes](../upstream-teams.md#what-your-service-may-send)',
  rateLimitHeaders: '`x`: `X-RateLimit-*` (required); `ietf`: the `RateLimit` fields of the IETF draft',
  afterSunset: 'operations past their sunset: `serve` them, or respond with 410 (`gone`)',
  'admin.url': 'public URL of the console, such as `https://tollgate.example.com` ([why](console.md#behind-a-proxy))',
  'admin.maxConnections': 'maximum number of open connections; additional ones are rejected',
  'admin.maxConnectionsPerAddress':
    'maximum number of open connections per address (IPv6: per /64); `trustedProxies` are exempt',
  'admin.oidc.issuer': 'the OpenID Connect provider for signing in ([how](console.md#single-sign-on-openid-connect))',
  'admin.oidc.clientId': 'the client id at the provider',
  'admin.oidc.clientSecret': 'the client secret, as `${NAME}`',
  'admin.oidc.claim': 'the claim that determines the role; a path such as `realm_access.roles` works too',
  'admin.oidc.admins': 'values of the claim with full access',
  'admin.oidc.viewers': 'values of the claim with read-only access',
  'portal.enabled': 'run the consumer portal, on its own port; on in the shipped file',
  'portal.url':
    'public URL of the portal, if it differs from where it listens, for example behind a proxy that terminates TLS',
  'portal.apiUrl': 'public URL of the API, used in examples, if it differs from where the gateway listens',
  'portal.title': 'name of the portal',
  'portal.logo': 'a PNG or SVG file of at most 100 KB',
  'portal.accent': 'color of buttons and links, such as `#0a7d4f`',
  'portal.public':
    'show the landing page, reference, guides, events and plans without a session; on in the shipped file',
  'portal.description': 'what the API is, in a sentence or two, for the landing page',
  'portal.pages': 'a folder of Markdown files, shown as pages of your own',
  'portal.contact':
    'how to reach the team: a URL, or `mailto:` and an address; otherwise `info.contact` of the documents',
  'portal.signUp':
    'who gets an account: `invite`: users invited by operators; `request`: also people who request one in the portal, if an operator approves; `open`: every user of `portal.oidc`',
  'portal.plan': 'plan of new accounts created by sign-up',
  'portal.requestablePlans': 'plans that accounts can request',
  'portal.maxKeys': 'maximum number of keys per account; it can create 20 times as many within 24 hours',
  'portal.maxConnections': 'maximum number of open connections; additional ones are rejected',
  'portal.maxConnectionsPerAddress':
    'maximum number of open connections per address (IPv6: per /64); `trustedProxies` are exempt',
  'portal.oidc.issuer': 'the OpenID Connect provider for consumers; its redirect URI is `<url>/api/oidc/callback`',
  'portal.oidc.clientId': 'the client id at the provider',
  'portal.oidc.clientSecret': 'the client secret, as `${NAME}`',
  'tls.cert': 'certificate chain in PEM; turns on TLS on all listeners ([how](tls.md))',
  'tls.key': 'private key in PEM',
  'admin.tls.cert': 'certificate chain of the admin listener only',
  'admin.tls.key': 'private key of the admin listener only',
  'portal.tls.cert': 'certificate chain of the portal only',
  'portal.tls.key': 'private key of the portal only',
  'events.keep': 'retention of [events](events.md) and their deliveries; at least `7d`',
  adminTokens:
    'additional tokens for the admin API, and for services that publish events ([how](install.md#tokens-and-roles))',
  'events.allowPrivate':
    'allow [webhooks](webhooks.md#allowed-urls) to private addresses: `true`, or a list of CIDR ranges',
  'events.ports': 'ports that webhooks may use; default: all',
};

interface Variable {
  readonly what: string;
  /** The setting in the file that the variable overrides. The variable has the default of this setting. */
  readonly setting?: string;
  /** The default in Markdown, if it is not in the schema. */
  readonly fallback?: string;
}

/** Descriptions of the environment variables. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  TOLLGATE_CONFIG: { fallback: '`gateway.yaml`, else `config/gateway.yaml`', what: 'the configuration file' },
  TOLLGATE_HOST: { what: 'listen address for consumers' },
  TOLLGATE_PORT: { what: 'port for consumers; 0 picks a free one' },
  TOLLGATE_ADMIN_HOST: { what: 'listen address of the admin API and the console; keep it private' },
  TOLLGATE_ADMIN_PORT: { what: 'port of the admin API and the console' },
  TOLLGATE_PORTAL_HOST: { what: 'listen address of the portal' },
  TOLLGATE_PORTAL_PORT: { what: 'port of the portal' },
  TOLLGATE_DATABASE: { what: 'where records are stored: keys, plans, the audit log', setting: 'database' },
  TOLLGATE_STORE: { what: 'where counters and bans are stored', setting: 'store' },
  TOLLGATE_DATA_DIR: { what: 'directory of the databases and the admin token' },
  TOLLGATE_ADMIN_TOKEN: {
    what: 'the admin token, at least 32 characters. Required with PostgreSQL, and the same on all gateways',
    fallback: 'created at the first start, in `data/admin-token`',
  },
  TOLLGATE_LOG_LEVEL: { what: 'minimum level of log messages', setting: 'logLevel' },
};

/** Descriptions of the OpenTelemetry variables that the gateway reads. */
export const TRACE_VARIABLES: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'URL of the receiver, such as `http://collector:4318`; `/v1/traces` is appended. Turns traces on',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'complete URL for traces, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'encoding of spans (gRPC is not supported)',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'the same, for traces only',
  OTEL_EXPORTER_OTLP_TIMEOUT: 'time limit in ms for sending a batch, including retries',
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: 'the same, for traces only',
  OTEL_EXPORTER_OTLP_HEADERS: 'headers for the receiver, such as `authorization=Bearer%20…`; never logged',
  OTEL_SERVICE_NAME: 'name of this gateway in traces',
  OTEL_RESOURCE_ATTRIBUTES: 'additional attributes of the gateway, such as `deployment.environment.name=production`',
  OTEL_TRACES_SAMPLER: 'which requests are traced ([below](#which-requests))',
  OTEL_TRACES_SAMPLER_ARG: 'sampled share, 0 to 1, for samplers with a ratio',
  OTEL_BSP_SCHEDULE_DELAY: 'maximum time in ms that spans wait for a batch to fill',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'maximum number of spans in a batch',
  OTEL_BSP_MAX_QUEUE_SIZE: 'maximum number of spans queued or being sent; additional ones are dropped',
  OTEL_TRACES_EXPORTER: '`none` turns traces off',
  OTEL_SDK_DISABLED: '`true` also turns traces off',
};
