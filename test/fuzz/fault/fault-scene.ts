import { execFileSync } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../support/servers/postgres-server.ts';
import { RedisServer } from '../../support/servers/redis-server.ts';
import { checkBodies, writeDocument } from '../subject/documents.ts';
import { ECHO_PATHS } from '../subject/echo-service.ts';
import { FaultyLink } from './faulty-link.ts';
import type { Fault, FaultScript } from './fault-scripts.ts';
import { Subject } from '../subject/subject.ts';

const USER = 'gateway';
const PASSWORD = 'secret';
const RULES = ['reset', 'on', `>${PASSWORD}`, '~*', '&*', '+@all'];

/** A gateway and the servers on which it depends. Each server can be made to fail. */
export class FaultScene {
  readonly subject: Subject;
  readonly #redis: LinkedServer<RedisServer> | null;
  readonly #postgres: LinkedServer<PostgresServer> | null;
  readonly #full: number | null;
  #settings = new Map<string, string>();
  isOutOfFiles = false;

  private constructor(
    { stdout }: FaultScript,
    redis: LinkedServer<RedisServer> | null,
    postgres: LinkedServer<PostgresServer> | null,
    env: Record<string, string>,
  ) {
    this.#redis = redis;
    this.#postgres = postgres;
    this.#full = stdout === 'full' ? openSync('/dev/full', 'w') : null;
    const module = join(import.meta.dirname, '../subject/echo-service.ts');
    this.subject = new Subject({
      settings: (folder) => ({
        upstreams: [
          {
            name: 'echo',
            openapi: writeDocument(folder, 'echo', ECHO_PATHS, checkBodies),
            module,
            validation: 'enforce',
          },
        ],
      }),
      stdout: this.#full ?? 'pipe',
      env,
    });
  }

  /** @param postgres the server that all scenes share; each scene has a database of its own */
  static async open(script: FaultScript, postgres: () => Promise<PostgresServer>): Promise<FaultScene> {
    if (script.store === 'sqlite') return new FaultScene(script, null, null, {});
    const redis = await linked(await RedisServer.start({ appendOnly: true }));
    await redis.server.client.acl('SETUSER', USER, ...RULES);
    const store = { TOLLGATE_STORE: `redis://${USER}:${PASSWORD}@127.0.0.1:${redis.link.port}` };
    if (script.store === 'redis') return new FaultScene(script, redis, null, store);
    const records = await linked(await postgres());
    const url = await records.server.createDatabase();
    const database = { TOLLGATE_DATABASE: url.replace(`:${records.server.port}/`, `:${records.link.port}/`) };
    return new FaultScene(script, redis, records, { ...store, ...database });
  }

  async begin(fault: Fault): Promise<void> {
    if (fault.is === 'limit' && fault.of === 'nofile') this.isOutOfFiles = true;
    if (fault.is === 'clock') await this.subject.ask({ clock: fault.ms });
    else if (fault.is === 'log') this.subject.child?.stdout?.pause();
    else if (fault.is === 'limit') this.#limit(fault.of, fault.of === 'fsize' ? 0 : 20);
    else if (fault.is === 'network') (fault.to === 'postgres' ? this.#postgres : this.#redis)?.link.set(fault.does);
    else if (fault.is === 'postgres') await this.#failPostgres(fault.does);
    else await this.#failRedis(fault);
  }

  /** Repairs all servers and links. */
  async repair(): Promise<void> {
    if (this.subject.alive) {
      this.#limit('fsize', 'unlimited');
      this.#limit('nofile', 4096);
      this.subject.child?.stdout?.resume();
      await this.subject.ask({ clock: 0 });
    }
    this.isOutOfFiles = false;
    await this.#repairPostgres();
    await this.#repairRedis();
  }

  async close(): Promise<void> {
    await this.subject.stop();
    this.#redis?.link.close();
    this.#redis?.server.resume();
    await this.#redis?.server.stop();
    this.#postgres?.link.close();
    await this.#repairPostgres();
    // Dropping a database forces a checkpoint. Without one, crash recovery would replay the WAL of many scenes, which
    // takes longer than the tests wait.
    await this.#postgres?.server.dropDatabases();
    if (this.#full !== null) closeSync(this.#full);
  }

  async #failRedis(fault: Extract<Fault, { is: 'redis' | 'redis user' | 'redis setting' }>): Promise<void> {
    const linked = this.#redis;
    if (linked === null || linked.isDead) return;
    const { client } = linked.server;
    if (fault.is === 'redis' && fault.does === 'stop') {
      linked.server.pause();
      linked.isPaused = true;
    } else if (linked.isPaused) return;
    else if (fault.is === 'redis user') await client.acl('SETUSER', USER, fault.rule);
    else if (fault.is === 'redis setting') {
      const [, before = ''] = await client.config('GET', fault.name);
      if (!this.#settings.has(fault.name)) this.#settings.set(fault.name, before);
      await client.config('SET', fault.name, fault.value);
    } else if (fault.does === 'forget scripts') await client.script('FLUSH');
    else if (fault.does === 'drop clients') await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    else {
      await linked.server.kill();
      if (fault.does === 'restart') await linked.server.start();
      linked.isDead = fault.does === 'die';
      // Redis does not store its users here, so create the user again.
      if (fault.does === 'restart') await client.acl('SETUSER', USER, ...RULES);
    }
  }

  async #repairRedis(): Promise<void> {
    const linked = this.#redis;
    if (linked === null) return;
    const { server, link } = linked;
    link.set(null);
    server.resume();
    linked.isPaused = false;
    if (linked.isDead) await server.start();
    linked.isDead = false;
    for (const [name, value] of this.#settings) await server.client.config('SET', name, value);
    this.#settings.clear();
    await server.client.acl('SETUSER', USER, ...RULES);
  }

  async #failPostgres(what: Extract<Fault, { is: 'postgres' }>['does']): Promise<void> {
    const linked = this.#postgres;
    if (linked === null || linked.isDead) return;
    const { server } = linked;
    if (what === 'stop') {
      server.pause();
      linked.isPaused = true;
    } else if (linked.isPaused) return;
    else if (what === 'drop clients')
      await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`);
    else if (what === 'take no changes') await server.setReadOnly(true);
    else {
      await server.kill();
      if (what === 'restart') await server.start();
      linked.isDead = what === 'die';
    }
  }

  async #repairPostgres(): Promise<void> {
    const linked = this.#postgres;
    if (linked === null) return;
    const { server, link } = linked;
    link.set(null);
    server.resume();
    linked.isPaused = false;
    if (linked.isDead) await server.start();
    linked.isDead = false;
    await server.setReadOnly(false);
  }

  #limit(of: 'fsize' | 'nofile', to: number | 'unlimited'): void {
    if (process.platform !== 'linux') return;
    execFileSync('prlimit', ['--pid', String(this.subject.child?.pid), `--${of}=${to}:`], { stdio: 'ignore' });
  }
}

/** A server and the network link between it and the gateway. */
interface LinkedServer<Server> {
  readonly server: Server;
  readonly link: FaultyLink;
  isDead: boolean;
  isPaused: boolean;
}

async function linked<Server extends { readonly port: number }>(server: Server): Promise<LinkedServer<Server>> {
  return { server, link: await FaultyLink.start(server.port), isDead: false, isPaused: false };
}
