import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCluster } from './postgres-cluster.ts';
import { PostgresDatabases, query } from './postgres-databases.ts';
import { findPostgres, postgresUser } from './postgres-programs.js';
import { until } from '../until.ts';
import { freePorts } from './redis-server.ts';

export interface PostgresServerOptions {
  /** The server of which this one is a standby, which is read-only until it is promoted. */
  readonly standbyOf?: PostgresServer;
  /** Further settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const running = new Set<PostgresServer>();
process.on('exit', () => {
  for (const server of running) server.killNow();
});

const START_MS = 120_000;

/** A PostgreSQL server on a free port, with a folder of its own that is removed with the server. */
export class PostgresServer extends PostgresDatabases {
  readonly #folder: string;
  readonly #options: PostgresServerOptions;
  #process: ChildProcess | undefined;
  #isPaused = false;
  #output = '';

  private constructor(port: number, folder: string, options: PostgresServerOptions) {
    super(port);
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

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /**
   * Runs a statement in the initial database.
   *
   * @returns the rows
   */
  query(text: string): Promise<Record<string, unknown>[]> {
    return query(this.url(), text);
  }

  /** Starts the server, or restarts it with its data. Resolves once the server accepts queries. */
  async start(): Promise<void> {
    const all = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.#folder,
      // Without fsync, committed data survives a kill of the server, but not a crash of the machine.
      fsync: 'off',
      max_connections: '100',
      shared_buffers: '64MB',
      log_min_messages: 'fatal',
      ...this.#options.settings,
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

  /** Kills all processes of the server at once, like a crash of the machine. */
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
    this.#isPaused = false;
    running.delete(this);
  }

  /** Promotes this standby to a primary server. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Stops the server gracefully and closes its connections. */
  shutDown(): Promise<void> {
    return this.#end('SIGINT');
  }

  /** Suspends the server. It still accepts connections, but does not respond. */
  pause(): void {
    this.#isPaused = true;
    for (const pid of this.#processTree()) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    for (const pid of this.#processTree().toReversed()) signal(pid, 'SIGCONT');
  }

  /** Makes the server refuse all changes, like a standby, or accept them again. */
  async setReadOnly(to: boolean): Promise<void> {
    const setting = 'default_transaction_read_only';
    await this.query(`ALTER SYSTEM ${to ? `SET ${setting} = on` : `RESET ${setting}`}`);
    await this.query('SELECT pg_reload_conf()');
    // The server reloads its settings asynchronously.
    await until(async () => (await this.query(`SHOW ${setting}`))[0]?.[setting] === (to ? 'on' : 'off'));
  }

  /** Undoes everything that tests can do to the server. */
  async repair(): Promise<void> {
    this.resume();
    if (!this.isRunning) await this.start();
    await this.setReadOnly(false);
  }

  /** Stops the server without saving anything. Unlike a kill, this leaves no shared memory behind. */
  async stop(): Promise<void> {
    this.resume();
    await this.#end('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(how: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    running.delete(this);
    const ended = once(child, 'close');
    child.kill(how);
    await ended;
  }

  #known: number[] = [];

  /** Lists the living processes of the server. They include the children of a server process that has died. */
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
    // The process has already ended.
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
