import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { DAY_MS } from '../../src/base/time.ts';
import { openDatabase } from '../../src/storage/open.ts';
import type { DatabaseLocation } from '../../src/storage/database.ts';
import { clusterHours, DAYS_PER_RUN } from '../../src/control-plane/history/postgres/sort-hours-by-key.ts';
import { PostgresConnections } from '../../src/control-plane/history/postgres/postgres-connections.ts';
import { HISTORY_FILE } from '../../src/storage/history-tables.ts';
import type { Retention } from '../../src/control-plane/history/store/retention.ts';
import { openHistoryClient } from '../../src/control-plane/history/worker/history-client.ts';
import type { HistoryWorkerOptions } from '../../src/control-plane/history/worker/worker-messages.ts';
import { generateKeyId, generateSecret, createKeyPreview } from '../../src/domain/key-format.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { free as plan } from '../../test/support/registry-data.ts';
import { PostgresServer } from '../../test/support/servers/postgres-server.ts';
import { fillTables, type FilledTables, type Size } from './data.ts';
import { PostgresSink, SqliteSink } from './sink.ts';

const BATCH_SIZE = 10_000;

export const logger = pino({ level: 'silent' });
const change = { actor: 'system', reason: 'bench', at: Date.now() };

/** A database full of history. */
interface FilledDatabase {
  readonly settings: HistoryWorkerOptions;
  readonly filled: FilledTables;
  readonly megabytes: number;
  dispose(): Promise<void>;
}

export async function fillSqlite(size: Size): Promise<FilledDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-history-'));
  const settings = createWorkerOptions({ kind: 'sqlite', file: join(folder, 'tollgate.db') }, folder);
  const keyIds = await createKeys(settings, size.keys);
  const sink = new SqliteSink(settings.file);
  const filled = await fillTables(sink, keyIds, size);
  await sink.end();
  const megabytes = statSync(settings.file).size / 1e6;
  return { settings, filled, megabytes, dispose: async () => rmSync(folder, { recursive: true }) };
}

export async function fillPostgres(size: Size): Promise<FilledDatabase> {
  const settings = { shared_buffers: '512MB', max_wal_size: '8GB', autovacuum: 'off' };
  const server = await PostgresServer.start({ settings });
  const workerOptions = createWorkerOptions({ kind: 'postgres', url: server.url() }, tmpdir());
  const keyIds = await createKeys(workerOptions, size.keys);
  const sink = await PostgresSink.open(server.url());
  const filled = await fillTables(sink, keyIds, size);
  await sink.end();
  await sortAllHours(server, workerOptions.keep, size.now);
  const [found] = await server.query('SELECT pg_database_size(current_database()) / 1e6 AS megabytes');
  return { settings: workerOptions, filled, megabytes: Number(found?.['megabytes']), dispose: () => server.stop() };
}

/** Sorts the hours of finished days by key, as pruning does day by day. */
async function sortAllHours(server: PostgresServer, keep: Retention, now: number): Promise<void> {
  const limits = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };
  const connections = new PostgresConnections({ url: server.url(), purpose: 'bench', ...limits });
  for (let kept = 0; kept <= keep.hours; kept += DAYS_PER_RUN * DAY_MS) await clusterHours(connections, keep, now);
  await connections.close();
  await server.query('VACUUM ANALYZE');
}

function createWorkerOptions(records: DatabaseLocation, folder: string): HistoryWorkerOptions {
  const keep = { minutes: 2 * DAY_MS, hours: 90 * DAY_MS, days: 730 * DAY_MS };
  return { records, file: join(folder, HISTORY_FILE), keep, waitMs: 0 };
}

/** Creates the tables and the keys. @returns the ids of the keys */
async function createKeys(settings: HistoryWorkerOptions, keys: number): Promise<string[]> {
  const records = await openDatabase(settings.records, logger);
  const registry = new Registry(records);
  await registry.seedPlans([plan], change);
  const ids: string[] = [];
  while (ids.length < keys) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, keys - ids.length) }, (_, index) =>
      createKey(ids.length + index),
    );
    await registry.createKeys(batch, change);
    ids.push(...batch.map(({ id }) => id));
  }
  const history = await openHistoryClient(settings, logger);
  await history.close();
  await records.close();
  return ids;
}

function createKey(index: number): NewKey {
  const id = generateKeyId();
  return {
    id,
    quotaId: id,
    name: `Service ${index}`,
    owner: `owner ${index % 5000}`,
    plan: plan.id,
    limits: null,
    concurrent: null,
    operations: null,
    addresses: null,
    validation: null,
    externalId: null,
    status: 'active',
    metadata: {},
    kind: 'secret',
    token: null,
    ...createKeyPreview(generateSecret()),
    createdAt: change.at,
    expiresAt: null,
  };
}
