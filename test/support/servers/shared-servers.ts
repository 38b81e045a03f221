import { Redis } from 'ioredis';
import { PostgresDatabases } from './postgres-databases.ts';
import type { RunServers } from './run-servers.ts';

/** The time limit for a request. The first request starts the server. */
const START_MS = 180_000;

/**
 * A database of the shared Redis server, for one test file only. Server-wide commands affect the other files as well.
 */
export interface RedisDatabase {
  readonly url: string;
  /** A connection with which tests inspect the data. */
  readonly client: Redis;
  /** Deletes the data and closes the connection. */
  release(): Promise<void>;
}

/**
 * Connects to the PostgreSQL server of the test run. Tests that make a server fail, or look at more than their own
 * databases, start a server of their own (`PostgresServer`).
 */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const { port, template } = await ask('postgres');
  return new PostgresDatabases(port, template);
}

/** Provides a database of the Redis server of the test run. */
export async function sharedRedis(): Promise<RedisDatabase> {
  const { port, database } = await ask('redis');
  const client = new Redis({ host: '127.0.0.1', port, db: database, lazyConnect: true }).on('error', () => {});
  return {
    url: `redis://127.0.0.1:${port}/${database}`,
    client,
    async release() {
      await client.flushdb('ASYNC');
      client.disconnect();
    },
  };
}

/** The endpoint of the browser of the test run. Undefined outside of a test run. */
export async function sharedBrowser(): Promise<string | undefined> {
  return process.env['TEST_SERVERS'] === undefined ? undefined : (await ask('browser')).endpoint;
}

async function ask<Name extends keyof RunServers>(name: Name): Promise<RunServers[Name]> {
  const servers = process.env['TEST_SERVERS'];
  if (servers === undefined) throw new Error(`${name} is shared only by the files of a test run`);
  const response = await fetch(`${servers}/${name}`, { signal: AbortSignal.timeout(START_MS) });
  if (!response.ok) throw new Error(`${name} did not start: ${await response.text()}`);
  return (await response.json()) as RunServers[Name];
}
