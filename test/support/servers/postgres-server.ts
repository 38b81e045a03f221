import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { openPostgresDatabase } from '../../../src/storage/postgres.ts';
import { createCluster } from './postgres-cluster.ts';
import { findPostgres, postgresUser } from './postgres-programs.js';
import { freePorts } from './redis-server.ts';

export interface PostgresServerOptions {
  /** Committed data survives a crash. */
  readonly durable?: boolean;
  /** Starts as a standby of this server, read-only until promoted. */
  readonly standbyOf?: PostgresServer;
  /** Further settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const running = new Set<PostgresServer>();
process.on('exit', () => {
  for (const server of running) server.killNow();
});

const START_MS = 20_000;

/** Deletes all rows except those inserted by migrations. Faster than TRUNCATE, which creates files. */
const EMPTY_ALL_TABLES = `DO $$
  DECLARE name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'additive_migrations') LOOP
      EXECUTE format('DELETE FROM %I WHERE %s', name, CASE name WHEN 'history_names' THEN 'no > 1' ELSE 'true' END);
    END LOOP;
  END
$$`;

/** A PostgreSQL server on a free port with its own folder, which is removed with it. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: PostgresServerOptions;
  #process: ChildProcess | undefined;
  #output = '';
  readonly #released: string[] = [];

  private constructor(port: number, folder: string, options: PostgresServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const [port = 0] = await freePorts(1);
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-pg-'));
    const { uid, gid } = postgresUser();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const data = join(folder, 'data');
    if (options.standbyOf === undefined) {
      await createCluster(data);
    } else {
      const args = ['-D', data, '-R', '-N', '-c', 'fast', '-d', options.standbyOf.url()];
      await promisify(execFile)(join(binFolder(), 'pg_basebackup'), args, { uid, gid, cwd: folder });
    }
    const server = new PostgresServer(port, folder, options);
    await server.start();
    return server;
  }

  /** URL of a database, by default the initial one. */
  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /**
   * A database with all tables and no rows: a released one if there is one, because creating and migrating a database
   * takes longer than most tests. Sequences are not reset. @returns its URL
   */
  async borrowDatabase(): Promise<string> {
    const released = this.#released.pop();
    if (released !== undefined) return released;
    const url = await this.createDatabase();
    const database = await openPostgresDatabase(url, pino({ level: 'silent' }));
    await database.close();
    return url;
  }

  /** Empties a borrowed database for the next test. Its connections must be closed. */
  async releaseDatabase(url: string): Promise<void> {
    if (this.#process === undefined) return;
    await this.query(EMPTY_ALL_TABLES, new URL(url).pathname.slice(1));
    this.#released.push(url);
  }

  async query(text: string, database?: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url(database));
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts the server, or restarts it with its data. Resolves once it accepts queries. */
  async start(): Promise<void> {
    const { durable = false, settings = {} } = this.#options;
    const all = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.#folder,
      fsync: durable ? 'on' : 'off',
      max_connections: '100',
      shared_buffers: '64MB',
      log_min_messages: 'fatal',
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(binFolder(), 'postgres'), ['-D', join(this.#folder, 'data'), ...args], {
      ...postgresUser(),
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk) => (this.#output += String(chunk)));
    this.#process = child;
    running.add(this);
    for (const deadline = performance.now() + START_MS; !(await this.#answers()); await sleep(20)) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no PostgreSQL:\n${this.#output}`);
    }
  }

  /** Kills all processes at once, as a crash of the machine would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'close');
    this.killNow();
    await ended;
    // The port stays in use until all processes are gone.
    while (this.#processTree().length > 0) await sleep(10);
  }

  killNow(): void {
    for (const pid of this.#processTree()) signal(pid, 'SIGKILL');
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
    running.delete(this);
  }

  /** Promotes a standby. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Stops the server gracefully and closes its connections. */
  async shutDown(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    running.delete(this);
    const ended = once(child, 'close');
    child.kill('SIGINT');
    await ended;
  }

  /** Suspends the server: it accepts connections but does not respond. */
  pause(): void {
    for (const pid of this.#processTree()) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#processTree().toReversed()) signal(pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.resume();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #known: number[] = [];

  /** The server and its child processes that are alive, including children of a server that has died. */
  #processTree(): number[] {
    const parent = this.#process?.pid;
    if (parent !== undefined) {
      const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
      const children = listed.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, of]) => of === parent);
      this.#known = [parent, ...children.map(([pid = 0]) => pid)];
    }
    return this.#known.filter(isAlive);
  }

  async #answers(): Promise<boolean> {
    try {
      await this.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }
}

function binFolder(): string {
  const folder = findPostgres();
  if (folder === undefined) throw new Error('PostgreSQL is not installed');
  return folder;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
