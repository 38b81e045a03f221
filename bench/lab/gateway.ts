import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, PET_PATH, type Lab } from './lab.ts';
import { isAccepting, findFreePort } from './ports.ts';
import { startProgram, waitUntil, type Program } from './process.ts';

export type StoreKind = 'embedded' | 'redis';

interface GatewayOptions {
  readonly store: StoreKind;
  /** The pet store in the gateway's process, or nginx behind HTTP. */
  readonly upstream: 'in-process' | 'http';
  /** Settings that replace the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The Redis to use instead of the lab's Redis. */
  readonly redisUrl?: string;
  /** Prefix of Redis keys that separates installations on one Redis. By default, every gateway has its own prefix. */
  readonly keyPrefix?: string;
  /** A data directory that already has keys, instead of a new directory. */
  readonly dataDir?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** A program that starts the gateway, and its arguments, instead of `src/main.ts`. */
  readonly entry?: readonly string[];
}

export interface RunningGateway {
  readonly program: Program;
  readonly publicUrl: string;
  readonly petUrl: string;
  /** Time from its start until it accepted connections. */
  readonly startMs: number;
  createKey(limits?: { readonly minute: number; readonly day: number }): Promise<string>;
}

/** Starts a gateway like `npm start`: one worker, with default logging, from the lab's checkout. */
export async function startGateway(lab: Lab, options: GatewayOptions): Promise<RunningGateway> {
  const dataDir = options.dataDir ?? lab.folder('gateway');
  mkdirSync(dataDir, { recursive: true });
  const config = join(dataDir, 'gateway.yaml');
  // The settings are JSON, because JSON is also YAML.
  writeFileSync(config, JSON.stringify(createSettings(lab, options), null, 2));
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const token = randomBytes(24).toString('base64url');
  const startedAt = performance.now();
  const { nodeOptions = [], entry = ['src/main.ts'] } = options;
  const program = startProgram(lab.core, process.execPath, [...nodeOptions, ...entry], {
    cwd: lab.gatewayFolder,
    env: {
      TOLLGATE_CONFIG: config,
      TOLLGATE_DATA_DIR: dataDir,
      ...(options.store === 'redis' ? { TOLLGATE_STORE: options.redisUrl ?? lab.redis.url } : {}),
      TOLLGATE_ADMIN_TOKEN: token,
      TOLLGATE_PORT: String(port),
      TOLLGATE_ADMIN_PORT: String(adminPort),
      TOLLGATE_PORTAL_PORT: '0',
      ...options.env,
    },
  });
  await waitUntil(program, () => isAccepting(port));
  const startMs = performance.now() - startedAt;
  await waitUntil(program, () => isAccepting(adminPort));
  return {
    program,
    publicUrl: `http://127.0.0.1:${port}`,
    petUrl: `http://127.0.0.1:${port}${PET_PATH}`,
    startMs,
    async createKey(limits = LIMITS) {
      let responseText = '';
      // Several attempts are needed because a gateway that has just started may find Redis slow.
      for (let attempt = 0; attempt < 5; attempt++) {
        const response = await fetch(`http://127.0.0.1:${adminPort}/v1/keys`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'bench', owner: 'acme', plan: 'enterprise', limits }),
        });
        if (response.status === 201) return ((await response.json()) as { key: string }).key;
        responseText = await response.text();
        await sleep(500);
      }
      throw new Error(`no key could be made: ${responseText}`);
    },
  };
}

function createSettings(lab: Lab, { upstream, keyPrefix, settings }: GatewayOptions): object {
  const petstore = { name: 'petstore', openapi: join(lab.gatewayFolder, 'config/petstore.openapi.yaml') };
  const inProcess = { module: join(lab.gatewayFolder, 'src/petstore/upstream.ts'), options: { database: 'pets.db' } };
  return {
    demo: true,
    plans: join(lab.gatewayFolder, 'config/plans.yaml'),
    redis: { keyPrefix: keyPrefix ?? `tg-${randomBytes(4).toString('hex')}` },
    upstreams: [{ ...petstore, ...(upstream === 'in-process' ? inProcess : { targets: [lab.upstream.url] }) }],
    ...settings,
  };
}
