import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

export interface RedisServerOptions {
  readonly password?: string;
  /** True to keep written data after a kill. */
  readonly appendOnly?: boolean;
  readonly tls?: boolean;
  readonly replicaOf?: RedisServer;
  /** Further settings, as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const running = new Set<RedisServer>();
process.on('exit', () => {
  for (const server of running) server.killNow();
});

/** A Redis server on a free port, with a folder of its own that is removed with the server. */
export class RedisServer {
  readonly port: number;
  readonly folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-'));
  readonly #options: RedisServerOptions;
  #process: ChildProcess | undefined;
  #output = '';
  #client: Redis | undefined;

  private constructor(port: number, options: RedisServerOptions) {
    this.port = port;
    this.#options = options;
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    for (;;) {
      const [port] = await freePorts(1);
      const server = new RedisServer(port!, options);
      if (options.tls === true) makeCertificate(server.folder);
      try {
        await server.start();
        return server;
      } catch (error) {
        await server.stop();
        // Another process may have taken the port first, so try another one.
        if (!server.#output.includes('Address already in use')) throw error;
      }
    }
  }

  get url(): string {
    const { password, tls } = this.#options;
    return `${tls === true ? 'rediss' : 'redis'}://${password === undefined ? '' : `:${password}@`}127.0.0.1:${this.port}`;
  }

  /** The path of the CA certificate, which is the server's self-signed certificate. */
  get certificate(): string {
    return join(this.folder, 'tls.crt');
  }

  /** A connection with which tests inspect the data. It is closed with the server. */
  get client(): Redis {
    this.#client ??= this.#connection(100);
    return this.#client;
  }

  /** Starts the server, or restarts it with its data. Resolves once the server accepts connections. */
  async start(): Promise<void> {
    const child = spawn('redis-server', this.#arguments(), { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    running.add(this);
    child.stdout.on('data', (chunk) => (this.#output += String(chunk)));
    child.stderr.on('data', (chunk) => (this.#output += String(chunk)));
    for (let waited = 0; waited < 10_000; waited += 20) {
      if (child.exitCode !== null) break;
      if (await this.#answers()) return;
      await sleep(20);
    }
    throw new Error(`redis-server did not start: ${this.#output}`);
  }

  /** Kills the server, like a crash. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    this.killNow();
    await gone;
    running.delete(this);
  }

  killNow(): void {
    this.#process?.kill('SIGKILL');
  }

  /** Suspends the server. It keeps its connections, but does not respond. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.#client?.disconnect();
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #arguments(): string[] {
    const { password, appendOnly = false, tls = false, replicaOf, settings = {} } = this.#options;
    const port = String(this.port);
    const args: Record<string, string> = {
      bind: '127.0.0.1',
      port: tls ? '0' : port,
      dir: this.folder,
      save: '',
      appendonly: appendOnly ? 'yes' : 'no',
      // With `everysec`, Redis delays writes while a slow disk syncs. If it were killed then, it would lose
      // acknowledged commands.
      appendfsync: 'no',
      ...settings,
    };
    if (tls) {
      const [cert, key] = [this.certificate, join(this.folder, 'tls.key')];
      Object.assign(args, {
        'tls-port': port,
        'tls-cert-file': cert,
        'tls-key-file': key,
        'tls-ca-cert-file': cert,
        'tls-auth-clients': 'no',
      });
    }
    if (password !== undefined) args['requirepass'] = password;
    if (replicaOf !== undefined) args['replicaof'] = `127.0.0.1 ${replicaOf.port}`;
    return Object.entries(args).flatMap(([name, value]) => [`--${name}`, ...value.split(/ (?=\d)/)]);
  }

  #connection(retryAfter: number | null): Redis {
    const { password, tls } = this.#options;
    return new Redis({
      host: '127.0.0.1',
      port: this.port,
      lazyConnect: true,
      retryStrategy: () => retryAfter,
      disconnectTimeout: 100,
      password,
      tls: tls === true ? { rejectUnauthorized: false } : undefined,
    }).on('error', () => {});
  }

  async #answers(): Promise<boolean> {
    const client = this.#connection(null);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }
}

// The ports are below those that systems give to outgoing connections and to servers without a fixed port. One of these
// could take the port of a server that is being restarted.
const FIRST_PORT = 10_000;
const LAST_PORT = 32_767;

/** Finds different ports that are free. They stay free unless another test picks the same ones. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function makeCertificate(folder: string): void {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat(
      subject,
      ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')],
    ),
    { stdio: 'ignore' },
  );
}
