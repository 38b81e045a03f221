/**
 * Starts the servers that the files of a test run share, each when it is first needed. It is a separate process that
 * ends with its parent, so that no server outlives a run that was interrupted or killed.
 */
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUser } from './postgres-programs.js';

/** The responses of the program, by the name of the server. */
export interface RunServers {
  /** The template database has all tables and no rows. */
  readonly postgres: { readonly port: number; readonly template: string };
  /** Each response has another database number, so that each test file has a database of its own. */
  readonly redis: { readonly port: number; readonly database: number };
  readonly browser: { readonly endpoint: string };
}

const STOP_MS = 30_000;
const REDIS_DATABASES = 4096;

/** A folder that Linux keeps in memory. Tests that write databases run three times as fast there. */
const MEMORY_FOLDER = '/dev/shm';
/** The size that the folder must have. In containers, it often has only 64 MiB. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;

const servers = new AsyncDisposableStack();
const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), 'tollgate-run-'));
// Servers that root starts run as other users, so the folder must be accessible to them.
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

/** Makes a function that starts a server at its first call. */
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
    // The number suffices for a fleet of gateways in every worker.
    max_connections: '1000',
    shared_buffers: '128MB',
    // No data has to survive a crash, so writing less is fine.
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    // Autovacuum is off, because it would visit each of the many databases, and move rows at unpredictable times.
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
  // If the servers are still running after this time, kill them.
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
