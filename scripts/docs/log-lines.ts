interface LogLine {
  readonly message: string;
  readonly level: 'info' | 'warn' | 'error' | 'fatal';
  /** Markdown: when it is logged. */
  readonly when: string;
  /** Markdown: what an operator does about it; empty if nothing. */
  readonly action?: string;
}

/** The log lines of the gateway by subject, the one place where the documents describe them. */
export const LOG_LINES: Readonly<Record<string, readonly LogLine[]>> = {
  'Start and stop': [
    { message: 'listening', level: 'info', when: 'The gateway accepts requests. Has the URLs of all listeners.' },
    {
      message: 'waiting for a locked database',
      level: 'warn',
      when: 'Another process uses the SQLite files, for example the previous gateway during a restart.',
      action: 'If it does not stop by itself: stop the process named in `reason`, or set another `TOLLGATE_DATA_DIR`.',
    },
    {
      message: 'the database has additions of a newer version, which are not used',
      level: 'warn',
      when: 'A newer gateway has upgraded the database. This version works without the additions listed in `steps`.',
      action: 'Nothing during a rolling update. Otherwise, [finish it or go back](upgrade.md).',
    },
    {
      message: 'no demo key was created, because the log would show it: create a key with tollgate keys create',
      level: 'info',
      when: 'First start with `demo: true` on an address other than loopback.',
      action: 'Create a key yourself.',
    },
    { message: 'draining', level: 'info', when: 'SIGTERM or SIGINT: open requests are finished.' },
    { message: 'stopped', level: 'info', when: 'The process ends.' },
    {
      message: 'stopped before draining finished',
      level: 'warn',
      when: 'A second signal came during draining. Open requests were cut off.',
    },
    {
      message: 'draining timed out',
      level: 'error',
      when: 'Draining took longer than `drain.deadline`, and the rest could not be closed in time either.',
      action: 'Look for a service or database that does not respond.',
    },
    { message: 'draining failed', level: 'error', when: 'Closing a resource failed.', action: 'See `err`.' },
    {
      message: 'some resources could not be closed',
      level: 'error',
      when: 'Closing a resource failed at the end. The others were closed.',
      action: 'See `err`.',
    },
    {
      message: 'uncaught error; draining',
      level: 'fatal',
      when: 'A bug in the gateway or in a module. The process finishes open requests and exits with 1.',
      action: 'Report `err`. Your process manager should restart the gateway.',
    },
    {
      message: 'log lines were dropped because standard output could not be written',
      level: 'warn',
      when: 'Standard output blocked or its disk was full. `dropped` lines are missing here.',
      action: 'Check the disk, or the program that reads the log.',
    },
  ],
  Configuration: [
    {
      message: 'configuration warning',
      level: 'warn',
      when: 'At the start and on a reload. The configuration is valid, but `warning` should be fixed.',
      action: 'Follow `warning`.',
    },
    { message: 'reloading the configuration', level: 'info', when: 'SIGHUP received.' },
    { message: 'configuration reloaded', level: 'info', when: '`changed` lists the settings that are now in effect.' },
    {
      message: 'some changed settings need a restart',
      level: 'warn',
      when: 'The reload cannot apply the settings in `restart`.',
      action: 'Restart the gateway.',
    },
    {
      message: 'configuration not reloaded; the current one stays in effect',
      level: 'error',
      when: 'The new configuration is invalid, or an upstream did not start. See `cause`.',
      action: 'Fix the files, run `tollgate config check`, then reload again.',
    },
    {
      message: 'configuration not reloaded: the gateway is shutting down',
      level: 'info',
      when: 'A reload was requested during draining.',
    },
    {
      message: 'could not record the reload in the audit log',
      level: 'error',
      when: 'The reload took effect, but the database did not accept the audit entry.',
      action: 'Check the database.',
    },
    { message: 'certificate reloaded', level: 'info', when: 'A certificate file changed. New connections use it.' },
    {
      message: 'new certificate cannot be used; the previous one stays in use',
      level: 'error',
      when: 'The changed certificate or key is incomplete, or the two do not belong together.',
      action: 'Replace both files. The gateway tries again when they change.',
    },
  ],
  Requests: [
    {
      message: 'response',
      level: 'info',
      when: 'Every request of a consumer. Refusals have the error code in `reason`.',
    },
    { message: 'admin response', level: 'info', when: 'Every request to the admin API.' },
    { message: 'portal response', level: 'info', when: 'Every request to the portal.' },
    {
      message: 'request failed',
      level: 'error',
      when: 'A bug in the gateway. The caller received 500 `internal_error`.',
      action: 'Report `err` and `requestId`.',
    },
    { message: 'admin request failed', level: 'error', when: 'The same, in the admin API.', action: 'Report `err`.' },
    { message: 'portal request failed', level: 'error', when: 'The same, in the portal.', action: 'Report `err`.' },
    {
      message: 'cannot create the API',
      level: 'error',
      when: 'A bug: the admin API or the portal responds to every request with 500.',
      action: 'Report `err`.',
    },
    {
      message: 'an error response could not be sent',
      level: 'error',
      when: 'A second failure while a 500 was being sent. The connection was closed.',
      action: 'Report `err`.',
    },
    {
      message: 'operation called after its sunset',
      level: 'warn',
      when: 'A caller uses an operation past its sunset, and `afterSunset` is `serve`. Logged once per operation.',
      action: 'See who still calls it: `tollgate operations callers ID`.',
    },
    {
      message: 'connections rejected: too many',
      level: 'warn',
      when: 'More connections than the setting in `setting` allows. At most once a minute.',
      action: 'Raise the limit, or add gateways.',
    },
    {
      message: 'connections rejected: too many from one address. If it is a proxy, add it to trustedProxies',
      level: 'warn',
      when: 'One address has more connections than the setting in `setting` allows. At most once a minute.',
      action: 'Add your proxy to `trustedProxies`, or block the address.',
    },
    {
      message: 'X-Forwarded-For from a trusted proxy has no address',
      level: 'warn',
      when:
        'The proxy in `proxy` sent what is in `value`. Until it sends an address, all its callers share the limits of its own. ' +
        'Logged once after each start or reload.',
      action: 'Configure the proxy as [Load balancers](scaling.md#load-balancers) shows.',
    },
  ],
  Services: [
    {
      message: 'target unreachable',
      level: 'warn',
      when: 'A connection to a server of an HTTP upstream failed. It gets no requests for a while.',
      action: 'Check the server in `target`.',
    },
    {
      message: 'target unhealthy',
      level: 'warn',
      when: 'The health check of a server failed. It receives no requests.',
      action: 'Check the server in `target`.',
    },
    { message: 'target healthy', level: 'info', when: 'The health check of a server succeeds again.' },
    {
      message: 'upstream failed',
      level: 'warn',
      when: 'A request was answered with 502 or 504, or its response was cut off. See `err`.',
      action: 'Look for `requestId` in the log of the service.',
    },
    {
      message: 'an upgraded connection failed',
      level: 'error',
      when: 'A module threw an error in a WebSocket connection.',
      action: 'Fix the module.',
    },
    {
      message: 'a removed upstream takes long to close',
      level: 'warn',
      when: 'After a reload, a module has not closed yet.',
      action: 'Check `close()` of the module.',
    },
    {
      message: 'a removed upstream could not be closed',
      level: 'error',
      when: 'After a reload, `close()` of a module failed.',
      action: 'Fix the module. Restart the gateway to free what it holds.',
    },
  ],
  'Redis and counters': [
    { message: 'connected to Redis', level: 'info', when: 'At the start, and after every outage.' },
    {
      message: 'Redis is unavailable; retrying',
      level: 'warn',
      when: 'The connection is lost. Logged once for each cause.',
      action: 'See `reason`. [What happens in the meantime](failures.md)',
    },
    {
      message: 'Redis cannot be used yet; retrying',
      level: 'error',
      when: 'Since the start, Redis has not responded, or has rejected a command.',
      action: 'See `reason`: often a wrong URL, password or ACL.',
    },
    { message: 'Redis can be used', level: 'info', when: 'After `Redis cannot be used yet; retrying`: Redis works.' },
    {
      message: 'Redis configuration warning',
      level: 'warn',
      when: 'Redis may lose counters and bans, for example because it stores nothing on disk.',
      action: 'Follow `warning`.',
    },
    {
      message: 'limits are not exact: the shared counters are unavailable',
      level: 'warn',
      when: 'Redis failed or is too slow. Each plan follows its `onStoreFailure`.',
      action: 'Bring Redis back. [The bound](failures.md#the-bound)',
    },
    {
      message: 'limits are exact again',
      level: 'info',
      when: 'Redis works again. `seconds` is the length of the outage.',
    },
    {
      message: 'cannot use the counters of a key',
      level: 'error',
      when: 'Another program changed the entry of the quota `quotaId` in Redis.',
      action: 'Delete the entry. Give Tollgate a Redis database or `redis.keyPrefix` of its own.',
    },
    {
      message: 'counters could not be written; retrying',
      level: 'error',
      when: 'Without Redis: the counter file cannot be written. A crash would lose the latest counts.',
      action: 'Check the disk and permissions of `TOLLGATE_DATA_DIR`.',
    },
    {
      message: 'more gateways are running than the setting replicas says',
      level: 'warn',
      when: 'While Redis is unavailable, keys would get more than their limits.',
      action: 'Set `replicas` to the number of gateways.',
    },
  ],
  'Database, keys and plans': [
    { message: 'connected to PostgreSQL', level: 'info', when: 'At the start.' },
    {
      message: 'PostgreSQL is unavailable; retrying',
      level: 'warn',
      when: 'The connection is lost or refused. Logged once for each cause.',
      action: 'See `reason`. Known keys keep working for `registry.staleFor`.',
    },
    {
      message: 'PostgreSQL is read-only',
      level: 'warn',
      when: 'It is a standby, or does not accept writes. Requests are served; changes fail.',
      action: 'Point `TOLLGATE_DATABASE` to the primary.',
    },
    { message: 'PostgreSQL is available again', level: 'info', when: 'After an outage.' },
    {
      message:
        'PostgreSQL does not deliver notifications, maybe because of a connection pooler: polling for changes every second',
      level: 'warn',
      when: 'LISTEN and NOTIFY do not work. Changes made at other gateways take up to a second.',
      action: 'Connect directly, or use a pooler with session pooling.',
    },
    {
      message: 'cannot read keys and plans yet; retrying',
      level: 'warn',
      when: 'At the start, the database does not respond.',
      action: 'See `reason`.',
    },
    { message: 'keys and plans can be read', level: 'info', when: 'After `cannot read keys and plans yet; retrying`.' },
    {
      message: 'reading keys and plans failed',
      level: 'error',
      when: 'The database responded with an unexpected error.',
      action: 'See `err`. If the database is fine, report it.',
    },
    {
      message: 'reading bans failed',
      level: 'error',
      when: 'The database responded with an unexpected error. While Redis is unavailable, this gateway may not know all bans.',
      action: 'See `err`. If the database is fine, report it.',
    },
    {
      message: 'all plans are missing in the database: restore a backup, or run tollgate plans apply FILE',
      level: 'error',
      when: 'The database lost its data. Known keys keep working for a while; other keys are refused.',
      action: '[Restore a backup](backup.md), or apply the plans again.',
    },
    { message: 'the database has plans again', level: 'info', when: 'After `all plans are missing in the database`.' },
    {
      message: 'a selector matches no operation',
      level: 'warn',
      when: 'The `operations` of a plan or key (`subject`) name something that no service has. Logged at the start and after a reload.',
      action: 'Correct the `selectors`, or the document of the service.',
    },
    {
      message: 'a setting names a plan that cannot be used',
      level: 'warn',
      when: '`portal.plan` or `portal.requestablePlans` names a plan that is missing or custom.',
      action: 'Follow `warning`.',
    },
    {
      message: 'could not check the plans',
      level: 'error',
      when: 'The plans that the configuration names could not be checked.',
      action: 'See `err`.',
    },
    {
      message: 'could not record when keys were last used',
      level: 'warn',
      when: 'At shutdown, the database was unavailable. The most recent last-used times are lost.',
    },
    {
      message: 'could not record this gateway in the database',
      level: 'error',
      when: 'The gateway is missing from `tollgate system gateways`.',
      action: 'See `err`.',
    },
    {
      message: 'ban started',
      level: 'warn',
      when: 'A key was banned automatically. Has `keyId`, `owner`, `banLevel` and `until`.',
      action: '[Talk to the owner](bans.md): the client ignores `Retry-After`.',
    },
    {
      message: 'a refused address could not be recorded',
      level: 'error',
      when: 'A key was used from an address that it does not allow: the call was refused, but is missing from the audit log.',
      action: 'See `err`.',
    },
    {
      message: 'a ban could not be recorded',
      level: 'error',
      when: 'A ban is in effect, but is missing from the audit log. It is retried with the next call.',
      action: 'See `err`.',
    },
    {
      message: 'a ban could not be written to the audit log',
      level: 'error',
      when: 'A ban is in effect, but the database rejected its audit entry, which is in `entry`.',
      action: 'See `err`.',
    },
  ],
  History: [
    {
      message: 'history cannot be written; keeping it in memory and retrying',
      level: 'warn',
      when: 'The database is unavailable or rejects writes. Logged once for each cause.',
      action: 'See `reason`. A crash before it recovers loses the counts.',
    },
    { message: 'history can be written again', level: 'info', when: 'Nothing was lost.' },
    {
      message: 'history could not be written and is lost',
      level: 'error',
      when: 'At shutdown, the database was still unavailable.',
    },
    {
      message: 'part of the history was rejected by the database and lost',
      level: 'error',
      when: 'The database will never accept this write. The rest was written.',
      action: 'Report `err`.',
    },
    {
      message: 'refusals could not be stored and cannot be explained',
      level: 'error',
      when: '`tollgate explain` and the console do not find them.',
      action: 'See `err`.',
    },
    {
      message: 'the history thread failed',
      level: 'error',
      when: 'The thread that writes to SQLite stopped. It is restarted.',
      action: 'Report `err` if it happens again.',
    },
    {
      message: 'the history thread cannot be started; retrying',
      level: 'error',
      when: 'After `the history thread failed`.',
      action: 'See `err`: often the disk is full.',
    },
    { message: 'deleted old history', level: 'info', when: 'Retention (`history.keep`) removed `rows` rows.' },
    {
      message: 'old history could not be deleted; retrying later',
      level: 'warn',
      when: 'Retention failed. The database keeps growing.',
      action: 'See `err` if it happens every day.',
    },
  ],
  'Events and webhooks': [
    {
      message: 'events cannot be written; retrying',
      level: 'error',
      when: 'The database is unavailable. Up to 10,000 events wait in memory.',
      action: 'Check the database.',
    },
    { message: 'events can be written again', level: 'info', when: 'Waiting events were written.' },
    {
      message: 'events could not be written and are lost',
      level: 'warn',
      when: 'At shutdown, the database was still unavailable.',
    },
    {
      message: 'event rejected by the database and lost',
      level: 'error',
      when: 'The database will never accept this event. `type` is the type of the event.',
      action: 'Report `err`.',
    },
    {
      message: 'webhook task failed; retrying',
      level: 'error',
      when: 'Routing or delivering events failed, usually because of the database. `task` says which part.',
      action: 'See `err`.',
    },
    {
      message: 'the result of a delivery cannot be written; it will be sent again',
      level: 'error',
      when: 'The receiver gets the same event (same `webhook-id`) again.',
      action: 'See `err`.',
    },
    {
      message: 'webhooks cannot be sent: the sender could not be loaded',
      level: 'error',
      when: 'The installation is incomplete.',
      action: 'Install again (`npm ci`), then restart.',
    },
    {
      message: 'ended replaced keys',
      level: 'info',
      when: '`keys` keys that were [rotated until quiet](keys.md#rotating-until-quiet) are no longer used, or reached their deadline.',
    },
    {
      message: 'deleted ended keys of accounts',
      level: 'info',
      when: '`keys` keys that were revoked or had expired were [deleted](accounts.md#keys-that-have-ended).',
    },
    { message: 'deleted old events', level: 'info', when: 'Retention (`events.keep`) removed `events` events.' },
    {
      message: 'scheduled task failed; retrying in an hour',
      level: 'error',
      when: 'Announcing expiries or sunsets, or deleting old events, account requests or keys, failed. `task` says which.',
      action: 'See `err`.',
    },
  ],
  'Console and portal': [
    {
      message: 'the console is not available, because its files are missing: build them with npm run prepare',
      level: 'warn',
      when: 'At the start.',
      action: 'Run `npm run prepare`, then restart.',
    },
    {
      message: 'the portal has no pages, because their files are missing: build them with npm run prepare',
      level: 'warn',
      when: 'At the start.',
      action: 'Run `npm run prepare`, then restart.',
    },
    {
      message: 'could not create a sign-in link to the console: run tollgate console',
      level: 'warn',
      when: 'At the first start.',
      action: 'Run `tollgate console`.',
    },
    {
      message: 'OpenID Connect sign-in failed',
      level: 'warn',
      when: "A user could not sign in. `failure` says why, `reason` has the provider's response.",
      action: 'Check the settings under `oidc` and the clock.',
    },
    {
      message: 'could not record the use of a console session',
      level: 'error',
      when: 'The session may end too early.',
      action: 'See `err`.',
    },
    {
      message: 'could not record the use of a portal session',
      level: 'error',
      when: 'The session may end too early.',
      action: 'See `err`.',
    },
  ],
  Traces: [
    {
      message: 'traces are exported',
      level: 'info',
      when: 'At the start, if traces are on. `receiver` is the target.',
    },
    {
      message: 'traces could not be sent; their spans are lost',
      level: 'warn',
      when: 'The receiver is unavailable or rejects spans. Requests are not affected.',
      action: 'See `reason`, and check the receiver.',
    },
    { message: 'traces can be sent again', level: 'info', when: 'After `traces could not be sent`.' },
    {
      message: 'spans are dropped because there are more than can be sent',
      level: 'warn',
      when: 'The queue of spans is full.',
      action: 'Sample fewer requests (`OTEL_TRACES_SAMPLER_ARG`).',
    },
    {
      message: 'OpenTelemetry SDK warning',
      level: 'warn',
      when: 'The SDK does not accept part of its configuration. See `sdk`.',
      action: 'Fix the `OTEL_*` variables.',
    },
  ],
};
