import { sql, type Selectable } from 'kysely';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import { waitAtMost } from '../../base/awaitable.ts';
import { HOUR_MS } from '../../base/time.ts';
import type { Database } from '../../storage/database.ts';
import type { GatewayRow } from '../../storage/tables.ts';
import { recordUnreportedUses, getServingEnd } from '../registry/use-reports.ts';

/** The identity of a gateway, as the other gateways that share its database see it. */
export interface GatewayIdentity {
  /** New at every start. */
  readonly id: string;
  /** The name of its machine. */
  readonly host: string;
  readonly version: string;
}

/** `gone`: the gateway has not reported for `GONE_AFTER_MS`, because it was killed or cannot reach the database. */
type GatewayState = 'running' | 'stopped' | 'gone';

/**
 * The digest of each part of a configuration, by name: a section of settings (`guard`, `upstreams.orders`), or files
 * (`plans`, `portal.pages`, `upstreams.orders.openapi`, `….overlays`, `….candidate`, `….tls.ca`). Gateways that have
 * equal digests enforce the same.
 */
export type ConfigDigest = Readonly<Record<string, string>>;

/** Times are the database's own, in ms since the Unix epoch. */
export interface SeenGateway extends GatewayIdentity {
  readonly startedAt: number;
  readonly lastSeenAt: number;
  readonly state: GatewayState;
  /** Null while the gateway starts, and for a version that does not report it. */
  readonly config: { readonly parts: ConfigDigest; readonly since: number } | null;
}

/** The running gateways, as one of them sees them. */
export interface Fleet {
  /** Includes this gateway. */
  readonly running: number;
  /** Gateways that have another configuration than this one. Those whose configuration is unknown do not count. */
  readonly differing: number;
}

/** How often a gateway reports that it is running. */
const INTERVAL_MS = 10_000;
/** The time of three reports, so that a slow report does not count as a crash. */
export const GONE_AFTER_MS = 3 * INTERVAL_MS;
export const GATEWAY_RETENTION_MS = 24 * HOUR_MS;
/** Maximum number of rows. A gateway that crashes at every start leaves a row each time. */
const MAX_GATEWAYS = 500;

/**
 * Records that a gateway is running, and deletes old gateways from the list.
 *
 * @param uptimeMs time since the start of the gateway
 * @param staleForMs `registry.staleFor`
 * @param digest null if it is not computed yet
 */
export async function recordRunning(
  database: Database,
  gateway: GatewayIdentity,
  uptimeMs: number,
  staleForMs: number,
  digest: ConfigDigest | null = null,
): Promise<Fleet> {
  const { now } = database.dialect;
  const { id, host, version } = gateway;
  const config = digest === null ? null : JSON.stringify(digest);
  return database.transaction(async (tx) => {
    await sql`
      INSERT INTO gateways (id, host, version, started_at, seen_at)
      VALUES (${id}, ${host}, ${version}, ${now} - CAST(${Math.round(uptimeMs)} AS BIGINT), ${now})
      ON CONFLICT (id) DO UPDATE SET seen_at = ${now}`.execute(tx);
    // Written only when it changes, because it is much longer than the rest of the row.
    if (config !== null) {
      await sql`
        UPDATE gateways SET config = ${config}, config_since = ${now}
        WHERE id = ${id} AND (config IS NULL OR config <> ${config})`.execute(tx);
    }
    const { rows: deleted } = await sql<{ seen_at: number; stopped_at: number | null }>`
      DELETE FROM gateways WHERE seen_at < ${now} - ${sql.lit(GATEWAY_RETENTION_MS)}
      OR id IN (SELECT id FROM gateways ORDER BY seen_at DESC, id LIMIT 1000 OFFSET ${sql.lit(MAX_GATEWAYS)})
      RETURNING seen_at, stopped_at`.execute(tx);
    const lostSeenAt = deleted.filter(({ stopped_at }) => stopped_at === null).map(({ seen_at }) => seen_at);
    if (lostSeenAt.length > 0) await recordUnreportedUses(tx, getServingEnd(Math.max(...lostSeenAt), staleForMs));
    const { rows } = await sql<Fleet>`
      SELECT count(*) AS running, count(CASE WHEN config <> CAST(${config} AS TEXT) THEN 1 END) AS differing FROM gateways
      WHERE stopped_at IS NULL AND seen_at > ${now} - ${sql.lit(GONE_AFTER_MS)}`.execute(tx);
    return rows[0] ?? { running: 1, differing: 0 };
  });
}

/** Records that a gateway has stopped properly, after it recorded all uses of keys. */
export async function recordStopped(database: Database, id: string): Promise<void> {
  const { now } = database.dialect;
  await database.transaction(async (tx) => {
    await sql`UPDATE gateways SET seen_at = ${now}, stopped_at = ${now} WHERE id = ${id}`.execute(tx);
  });
}

/** The gateways that were seen in the last 24 hours, latest start first. */
export async function listGateways(database: Database): Promise<SeenGateway[]> {
  const { now } = database.dialect;
  const rows = await database.read((queries) =>
    queries
      .selectFrom('gateways')
      .selectAll()
      .select(now.as('now'))
      .orderBy('started_at', 'desc')
      .orderBy('id')
      .execute(),
  );
  return rows.map(
    ({ id, host, version, started_at: startedAt, seen_at: lastSeenAt, stopped_at, now: readAt, ...row }) => {
      const state = stopped_at !== null ? 'stopped' : readAt - lastSeenAt > GONE_AFTER_MS ? 'gone' : 'running';
      return { id, host, version, startedAt, lastSeenAt, state, config: readConfig(row) };
    },
  );
}

function readConfig({ config, config_since: since }: Pick<Selectable<GatewayRow>, 'config' | 'config_since'>) {
  return config === null || since === null ? null : { parts: JSON.parse(config) as ConfigDigest, since };
}

/** How long `stop` waits for an unavailable database. */
const MAX_STOP_MS = 1000;

interface HeartbeatOptions {
  /** `registry.staleFor`, in ms. */
  readonly staleForMs: number;
  /** Called after each report. */
  readonly onRunning: (fleet: Fleet) => void;
}

/** Reports through the database that this gateway is running. */
export class Heartbeat {
  readonly #database: Database;
  readonly #gateway: GatewayIdentity;
  readonly #logger: Logger;
  readonly #staleForMs: number;
  readonly #onRunning: (fleet: Fleet) => void;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #currentBeat: Promise<void> | null = null;
  #digest: ConfigDigest | null = null;

  constructor(
    database: Database,
    gateway: GatewayIdentity,
    logger: Logger,
    { staleForMs, onRunning }: HeartbeatOptions,
  ) {
    this.#staleForMs = staleForMs;
    this.#onRunning = onRunning;
    this.#database = database;
    this.#gateway = gateway;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#beat(), INTERVAL_MS).unref();
    this.#beat();
  }

  /** Reports a new configuration now, or with the next beat if one is under way. */
  setConfig(digest: ConfigDigest): void {
    this.#digest = digest;
    this.#beat();
  }

  /**
   * Records that the gateway has stopped, if the database answers soon.
   *
   * @param usesRecorded whether all uses of keys are recorded. If not, the gateway counts as gone, as if it had been
   * killed.
   */
  async stop(usesRecorded: boolean): Promise<void> {
    clearInterval(this.#timer);
    if (!usesRecorded) return;
    const stopping = (this.#currentBeat ?? Promise.resolve()).then(() =>
      this.#ignoreUnavailable(recordStopped(this.#database, this.#gateway.id)),
    );
    await waitAtMost(MAX_STOP_MS, stopping);
  }

  #beat(): void {
    const writing = async () => {
      const uptimeMs = performance.now() - this.#startedAt;
      this.#onRunning(await recordRunning(this.#database, this.#gateway, uptimeMs, this.#staleForMs, this.#digest));
    };
    this.#currentBeat ??= this.#ignoreUnavailable(writing()).finally(() => {
      this.#currentBeat = null;
    });
  }

  /** An unavailable database is reported elsewhere. */
  async #ignoreUnavailable(writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        this.#logger.error({ err: error }, 'could not record this gateway in the database');
    }
  }
}
