import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { isAccepting, findFreePort } from './ports.ts';
import { startProgram, waitUntil, type Program } from './process.ts';

export const benchFolder = resolve(import.meta.dirname, '..');

/** The body of every response. The pet store responds with it to `GET /pets/1`. */
export const PET = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}';
export const PET_PATH = '/pets/1';

/** The key for contenders that have no registry. */
export const STATIC_KEY = `tg_live_${'bench'.repeat(6)}00000000`;

/** Limits that are never reached. */
export const LIMITS = { minute: 1_000_000_000, day: 1_000_000_000 } as const;

/** The servers that all contenders share, and the cores and folders of a run. */
export interface Lab {
  /** The core that only the contender uses. */
  readonly core: number;
  /** The core for everything else. */
  readonly otherCore: number;
  /** The checkout whose gateway is measured. */
  readonly gatewayFolder: string;
  /** An nginx that responds to every request with PET. */
  readonly upstream: { readonly url: string; readonly port: number };
  readonly redis: { readonly url: string; readonly port: number; readonly client: Redis; readonly program: Program };
  /** A program that keeps the other core from idling. */
  readonly spinner: Program;
  /** Creates a folder. It is removed when the lab closes. */
  folder(name: string): string;
  /** Writes a configuration from `configs/` with its `${NAME}`s filled in, and returns its path. */
  configure(template: string, folder: string, values: Readonly<Record<string, string | number>>): string;
  close(): Promise<void>;
}

interface LabOptions {
  readonly core: number;
  readonly otherCore: number;
  readonly gatewayFolder: string;
}

export async function openLab({ core, otherCore, gatewayFolder }: LabOptions): Promise<Lab> {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const folder = (name: string) => {
    const path = mkdtempSync(join(root, `${name}-`));
    return path;
  };
  const configure: Lab['configure'] = (template, into, values) => {
    const text = readFileSync(join(benchFolder, 'configs', template), 'utf8');
    const path = join(into, template);
    const fill = (_: string, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${template} wants a value for ${name}`);
      return String(value);
    };
    writeFileSync(path, text.replace(/\$\{([A-Z_]+)\}/g, fill));
    return path;
  };

  const redisPort = await findFreePort();
  const redis = startProgram(otherCore, 'redis-server', [
    `--port ${redisPort}`,
    '--bind 127.0.0.1',
    `--dir ${folder('redis')}`,
    '--save ""',
    '--appendonly no',
  ]);
  await waitUntil(redis, () => isAccepting(redisPort));

  const upstreamPort = await findFreePort();
  const upstreamFolder = folder('upstream');
  const config = configure('upstream.nginx.conf', upstreamFolder, { PORT: upstreamPort, FOLDER: upstreamFolder, PET });
  const upstream = startNginx(otherCore, config, upstreamFolder);
  await waitUntil(upstream, () => isAccepting(upstreamPort));

  const spinner = keepAwake(otherCore);
  const client = new Redis({ port: redisPort });
  return {
    core,
    otherCore,
    gatewayFolder,
    upstream: { url: `http://127.0.0.1:${upstreamPort}`, port: upstreamPort },
    redis: { url: `redis://127.0.0.1:${redisPort}`, port: redisPort, client, program: redis },
    spinner,
    folder,
    configure,
    async close() {
      client.disconnect();
      await Promise.all([spinner.stop(), upstream.stop(), redis.stop()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export function startNginx(core: number, config: string, folder: string): Program {
  // By default, a worker of root changes to an account that cannot read the private folder.
  const asRoot = process.getuid?.() === 0 ? 'user root; ' : '';
  mkdirSync(join(folder, 'temp'), { recursive: true });
  chmodSync(folder, 0o755);
  return startProgram(core, 'nginx', ['-p', folder, '-c', config, '-e', 'stderr', '-g', `${asRoot}daemon off;`]);
}

/**
 * Starts a program that keeps a core from idling, at the lowest priority. If a process sleeps on an idle virtual CPU,
 * waking that CPU takes an interrupt through the hypervisor, which is charged to the process that writes to the socket.
 * Without this program, slower contenders would pay for more interrupts. It ends by itself if the bench is killed.
 */
export function keepAwake(core: number): Program {
  const spin = 'while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; done';
  return startProgram(core, 'chrt', ['--idle', '0', 'sh', '-c', spin]);
}
