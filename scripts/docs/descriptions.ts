/** What each setting does, in Markdown: the one place where the documents describe it. Names are those of the schema. */
export const SETTINGS: Readonly<Record<string, string>> = {
  database: 'where the records live: keys, plans, the audit log ([which to choose](#three-installations))',
  store: 'where counters and bans live',
  demo: 'make a demo key and a few pets at the first start (on in the shipped file)',
  plans: 'what an empty registry is [seeded with](plans.md)',
  replicas: 'how many gateways share the limits while Redis is away ([the bound](failures.md#the-bound))',
  trustedProxies:
    'addresses or ranges whose `X-Forwarded-For`, `-Proto` and `-Host` are believed; exempt from `maxConnectionsPerAddress`',
  logLevel: 'the least severe lines that are [logged](metrics.md)',
  upstreams: 'the services behind the gateway; at least one ([how to plug one in](../upstream-teams.md))',
  'bans.strikes': 'calls before the time given by `Retry-After` that ban a key',
  'bans.within': 'the time within which they count together',
  'bans.grace': 'refusals this soon after the first do not count: they were in flight',
  'bans.durations': 'length of the first ban, the second, …; the last one repeats',
  'bans.forgiveAfter': 'this long after the last ban ended, the next one counts as the first again',
  'guard.failedAttempts': 'attempts with a bad key that an address has',
  'guard.publicRequests': 'calls without a key that an address has, to operations that need none',
  'guard.within': 'the time that both of them apply to',
  'registry.staleFor': 'how long known keys work while the database does not answer',
  'history.keep.minutes': 'how long the [history](history.md) tells single minutes apart',
  'history.keep.hours': 'and hours; these and days are deleted by whole days, so up to a day later',
  'history.keep.days': 'and days; who called which operation is kept without end',
  'redis.commandTimeout': 'the longest a request waits for Redis',
  'redis.keyPrefix': 'what the names of its entries start with: tells installations on one server apart',
  'edge.maxBody': 'a larger body is a 413; an upstream may have its own limit',
  'edge.maxHeader': 'a larger header block is a 431',
  'edge.headersTimeout': 'a client that takes longer to send its headers is cut off',
  'edge.requestTimeout': 'a client that takes longer to send the whole request is cut off',
  'edge.writeTimeout': 'a client that takes nothing of its answer for this long is cut off',
  'edge.keepAlive': "how long a connection may be idle: longer than a balancer's",
  'edge.maxConnections': 'connections beyond this are turned away',
  'edge.maxConnectionsPerAddress':
    'connections of one address (IPv6: one /64) beyond this are turned away, except those of `trustedProxies`; off by default',
  'edge.maxTunnels': 'upgraded connections that a key may hold',
  'edge.tunnelIdle': 'an upgraded connection that is silent for this long is closed',
  'edge.reusePort': 'lets several gateways on one machine listen on the same port (Linux)',
  'edge.dropHeaders': 'request headers that no service sees ([why](../upstream-teams.md#what-your-service-receives))',
  'drain.lameDuck': 'on SIGTERM: how long to stay open while unready',
  'drain.deadline': 'what still runs after this is cut off',
  'cors.origins': 'origins of browser applications that may call',
  rateLimitHeaders: '`X-RateLimit-*`, always sent (`x`), and the `RateLimit` fields of the IETF draft (`ietf`)',
  afterSunset: 'what to do with an operation past its sunset: `serve` it, or answer 410 (`gone`)',
  'admin.url':
    'where people open the console, such as `https://tollgate.example.com` ([why](console.md#behind-a-proxy))',
  'admin.maxConnections': 'connections beyond this are turned away',
  'admin.maxConnectionsPerAddress':
    'connections of one address (IPv6: one /64) beyond this are turned away, except those of `trustedProxies`',
  'admin.oidc.issuer': 'the provider at which people sign in ([how](console.md#with-peoples-own-accounts))',
  'admin.oidc.clientId': 'what the provider calls this gateway',
  'admin.oidc.clientSecret': 'what it shows to the provider, as `${NAME}`',
  'admin.oidc.claim': 'the claim that says who somebody is; a path such as `realm_access.roles` works too',
  'admin.oidc.admins': 'values of the claim that may do everything',
  'admin.oidc.viewers': 'values of the claim that may only look',
  'portal.enabled': 'whether consumers have a portal, on a listener of its own; the shipped configuration turns it on',
  'portal.url': 'where people open it, if not where it listens, as behind a proxy that ends TLS',
  'portal.apiUrl': 'where consumers call the API, for its examples, if not where the gateway listens',
  'portal.title': 'what the portal is called',
  'portal.logo': 'a file with a picture, png or svg, of at most 100 KB',
  'portal.accent': 'the colour of its buttons and links, such as `#0a7d4f`',
  'portal.signUp': 'who gets an account: `invite`, whom operators invite; `open`, everybody whom `portal.oidc` knows',
  'portal.plan': 'the plan of accounts that sign up',
  'portal.requestablePlans': 'the plans that an account may ask for',
  'portal.maxKeys': 'how many keys an account may have',
  'portal.maxConnections': 'connections beyond this are turned away',
  'portal.maxConnectionsPerAddress':
    'connections of one address (IPv6: one /64) beyond this are turned away, except those of `trustedProxies`',
  'portal.oidc.issuer': 'the provider at which consumers sign in; it calls back `<url>/api/oidc/callback`',
  'portal.oidc.clientId': 'what the provider calls the portal',
  'portal.oidc.clientSecret': 'what it shows to the provider, as `${NAME}`',
  'tls.cert':
    'a certificate in PEM, with those between it and its authority: every listener speaks TLS ([how](tls.md))',
  'tls.key': 'its key, in PEM',
  'admin.tls.cert': 'the same for the admin listener alone',
  'admin.tls.key': 'its key',
  'portal.tls.cert': 'the same for the portal alone',
  'portal.tls.key': 'its key',
  'events.keep': 'how long [events](events.md) are kept, with what became of their deliveries; at least `7d`',
  adminTokens: 'who else may call the admin API, and which services may publish ([how](install.md#who-may-operate-it))',
  'events.allowPrivate':
    'whether [webhooks](webhooks.md#where-they-may-go) go to addresses that are not public: `true`, or a list of ranges',
  'events.ports': 'the ports that webhooks may go to; without it, any',
};

interface Variable {
  readonly what: string;
  /** The setting of the file that it goes before, and whose default it has. */
  readonly setting?: string;
  /** Markdown, in place of a default that the schema does not say. */
  readonly fallback?: string;
}

/** What each variable of the environment does. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  TOLLGATE_CONFIG: { what: 'the configuration file' },
  TOLLGATE_HOST: { what: 'the address where consumers call' },
  TOLLGATE_PORT: { what: 'and its port; 0 picks a free one' },
  TOLLGATE_ADMIN_HOST: { what: 'the address where operators call: keep it private' },
  TOLLGATE_ADMIN_PORT: { what: 'and its port' },
  TOLLGATE_PORTAL_HOST: { what: 'the address where consumers open the portal' },
  TOLLGATE_PORTAL_PORT: { what: 'and its port' },
  TOLLGATE_DATABASE: { what: 'where the records live: keys, plans, the audit log', setting: 'database' },
  TOLLGATE_STORE: { what: 'where counters and bans live', setting: 'store' },
  TOLLGATE_DATA_DIR: { what: 'the folder of the databases and of the admin token' },
  TOLLGATE_ADMIN_TOKEN: {
    what: 'opens the admin API; at least 32 characters. With records in PostgreSQL it must be set, the same for all gateways',
    fallback: 'made at the first start, in `data/admin-token`',
  },
  TOLLGATE_LOG_LEVEL: { what: 'the least severe lines that are logged', setting: 'logLevel' },
};

/** What each variable of OpenTelemetry does that the gateway reads. */
export const TRACE_VARIABLES: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'the receiver, such as `http://collector:4318`; spans go to `/v1/traces` below it. Turns traces on',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'the same for traces alone: the whole URL',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'how spans are written (gRPC is not spoken)',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'the same for traces alone',
  OTEL_EXPORTER_OTLP_TIMEOUT: 'the time limit for sending a batch, retries included; ms',
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: 'the same for traces alone',
  OTEL_EXPORTER_OTLP_HEADERS: 'headers for the receiver, such as `authorization=Bearer%20…`; never logged',
  OTEL_SERVICE_NAME: 'the name of this gateway in traces',
  OTEL_RESOURCE_ATTRIBUTES: 'further attributes of it, such as `deployment.environment.name=production`',
  OTEL_TRACES_SAMPLER: 'which requests have spans ([below](#which-requests))',
  OTEL_TRACES_SAMPLER_ARG: 'the share of them, 0 to 1, for the samplers with a ratio',
  OTEL_BSP_SCHEDULE_DELAY: 'how long spans wait for a batch to fill; ms',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'spans in a batch',
  OTEL_BSP_MAX_QUEUE_SIZE: 'the most spans that may wait or be on their way; further ones are dropped',
  OTEL_TRACES_EXPORTER: '`none` turns traces off',
  OTEL_SDK_DISABLED: '`true` turns traces off, too',
};
