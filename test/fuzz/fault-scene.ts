import { execFileSync } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { RedisServer } from '../support/redis-server.ts';
import { writeDocument } from './documents.ts';
import { ECHO_PATHS } from './echo-service.ts';
import { FaultyLink } from './faulty-link.ts';
import type { Fault, FaultScript } from './fault-scripts.ts';
import { Subject } from './subject.ts';

const USER = 'gateway';
const PASSWORD = 'secret';
const RULES = ['reset', 'on', `>${PASSWORD}`, '~*', '&*', '+@all'];

/** A gateway with all that it depends on, each part of which can be made to fail. */
export class FaultScene {
  readonly subject: Subject;
  readonly #redis: RedisServer | null;
  readonly #link: FaultyLink | null;
  readonly #full: number | null;
  #settings = new Map<string, string>();
  #isDead = false;
  isOutOfFiles = false;

  private constructor({ stdout }: FaultScript, redis: RedisServer | null, link: FaultyLink | null) {
    this.#redis = redis;
    this.#link = link;
    this.#full = stdout === 'full' ? openSync('/dev/full', 'w') : null;
    const module = join(import.meta.dirname, 'echo-service.ts');
    this.subject = new Subject({
      settings: (folder) => ({
        upstreams: [{ name: 'echo', openapi: writeDocument(folder, 'echo', ECHO_PATHS), module }],
      }),
      stdout: this.#full ?? 'pipe',
      ...(link === null ? {} : { env: { TOLLGATE_STORE: `redis://${USER}:${PASSWORD}@127.0.0.1:${link.port}` } }),
    });
  }

  static async open(script: FaultScript): Promise<FaultScene> {
    if (script.store === 'sqlite') return new FaultScene(script, null, null);
    const redis = await RedisServer.start({ appendOnly: true });
    await redis.client.acl('SETUSER', USER, ...RULES);
    return new FaultScene(script, redis, await FaultyLink.start(redis.port));
  }

  async begin(fault: Fault): Promise<void> {
    const redis = this.#redis;
    if (fault.is === 'limit' && fault.of === 'nofile') this.isOutOfFiles = true;
    if (fault.is === 'clock') await this.subject.ask({ clock: fault.ms });
    else if (fault.is === 'log') this.subject.child?.stdout?.pause();
    else if (fault.is === 'limit') this.#limit(fault.of, fault.of === 'fsize' ? 0 : 20);
    else if (fault.is === 'network') this.#link?.set(fault.does);
    else if (redis === null || this.#isDead) return;
    else if (fault.is === 'redis user') await redis.client.acl('SETUSER', USER, fault.rule);
    else if (fault.is === 'redis setting') {
      const [, before = ''] = await redis.client.config('GET', fault.name);
      if (!this.#settings.has(fault.name)) this.#settings.set(fault.name, before);
      await redis.client.config('SET', fault.name, fault.value);
    } else await this.#disturb(redis, fault.does);
  }

  /** All that failed works again. */
  async mend(): Promise<void> {
    if (this.subject.alive) {
      this.#limit('fsize', 'unlimited');
      this.#limit('nofile', 4096);
      this.subject.child?.stdout?.resume();
      await this.subject.ask({ clock: 0 });
    }
    this.isOutOfFiles = false;
    this.#link?.set(null);
    const redis = this.#redis;
    if (redis === null) return;
    redis.resume();
    if (this.#isDead) await redis.start();
    this.#isDead = false;
    for (const [name, value] of this.#settings) await redis.client.config('SET', name, value);
    this.#settings.clear();
    await redis.client.acl('SETUSER', USER, ...RULES);
  }

  async close(): Promise<void> {
    await this.subject.stop();
    this.#link?.close();
    this.#redis?.resume();
    await this.#redis?.stop();
    if (this.#full !== null) closeSync(this.#full);
  }

  async #disturb(redis: RedisServer, what: Extract<Fault, { is: 'redis' }>['does']): Promise<void> {
    if (what === 'stop') redis.pause();
    else if (what === 'forget scripts') await redis.client.script('FLUSH');
    else if (what === 'drop clients') await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    else {
      await redis.kill();
      if (what === 'restart') await redis.start();
      this.#isDead = what === 'die';
      // Its users were not kept.
      if (what === 'restart') await redis.client.acl('SETUSER', USER, ...RULES);
    }
  }

  #limit(of: 'fsize' | 'nofile', to: number | 'unlimited'): void {
    if (process.platform !== 'linux') return;
    execFileSync('prlimit', ['--pid', String(this.subject.child?.pid), `--${of}=${to}:`], { stdio: 'ignore' });
  }
}
