/**
 * The program that starts the servers which the files of a test run share, each on first use. It is a process of its
 * own that ends with its parent, so that no server outlives a run that was interrupted or killed.
 */
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUser } from './postgres-programs.js';

/** The program's response, by the name of the server. */
export interface RunServers {
  /** The template has all tables and no rows. */
  readonly postgres: { readonly port: number; readonly template: string };
  /** The number of the database is different in each response. */
  readonly redis: { readonly port: number; readonly database: number };
  readonly browser: { readonly endpoint: string };
}

const STOP_MS = 30_000;
const REDIS_DATABASES = 4096;

/** Linux keeps this folder in memory, where tests that write databases run three times as fast. */
const MEMORY_FOLDER = '/dev/shm';
/** Containers often have 64 MiB there. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;

const servers = new AsyncDisposableStack();
const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), 'tollgate-run-'));
// Servers that root starts run as other users, who need what is in it.
chmodSync(folder, 0o711);
const { uid, gid } = postgresUser();
if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
process.env['TEST_RUN_FOLDER'] = folder;

function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_NEEDED_BYTES;
}

const starting: Promise<unknown>[] = [];

/** Starts a server at the first call. */
function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    if (started === undefined) {
      started = start();
      starting.push(started);
    }
    return started;
  };
}

const startPostgres = once(async () => {
  const { PostgresServer } = await import('./postgres-server.ts');
  const { databaseName } = await import('./postgres-databases.ts');
  const settings = {
    // Enough for a fleet in every worker.
    max_connections: '1000',
    shared_buffers: '128MB',
    // Saves writing: nothing has to survive a crash.
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    // Autovacuum would visit each of the many databases, and move rows at unpredictable times.
    autovacuum: 'off',
  };
  const server = await PostgresServer.start({ settings });
  servers.defer(() => server.stop());
  const template = databaseName(await server.borrowDatabase());
  await server.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  return { port: server.port, template };
});

const startRedis = once(async () => {
  const { RedisServer } = await import('./redis-server.ts');
  const settings = { databases: String(REDIS_DATABASES), 'auto-aof-rewrite-percentage': '0' };
  const server = await RedisServer.start({ appendOnly: true, settings });
  servers.defer(() => server.stop());
  return server;
});

const startBrowser = once(async () => {
  const { startBrowserServer } = await import('../browser/browser-server.ts');
  const browser = await startBrowserServer();
  servers.defer(() => browser.close());
  return { endpoint: browser.wsEndpoint() };
});

let redisDatabases = 0;
const responses: { readonly [Name in keyof RunServers]: () => Promise<RunServers[Name]> } = {
  postgres: startPostgres,
  async redis() {
    const { port } = await startRedis();
    return { port, database: ++redisDatabases };
  },
  browser: startBrowser,
};

const listener = createServer(async (req, res) => {
  const name = (req.url ?? '').slice(1) as keyof RunServers;
  try {
    res.end(JSON.stringify(await responses[name]()));
  } catch (error) {
    res.writeHead(500).end(String(error));
  }
});
listener.listen(0, '127.0.0.1', () => {
  process.send?.({ folder, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` });
});

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // Servers that are still running then are killed.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  listener.close();
  listener.closeAllConnections();
  await Promise.allSettled(starting);
  await servers.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
