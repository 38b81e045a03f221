import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { stringify } from 'yaml';
import { petstore, root } from '../gateway/gateway.ts';
import { runProgram, type RunningProgram } from '../gateway/process.ts';
import { tempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';

const ADMIN_TOKEN = 'fleet-admin-token-0123456789abcdef';

export interface FleetOptions {
  readonly store: string;
  /** The location of the database. By default, each gateway has a SQLite file of its own. */
  readonly database?: string;
  /** Settings as in the configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The clock offset of each gateway, in ms. */
  readonly clockSkew?: readonly number[];
}

export interface MemberResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string | undefined;
  readonly text: string;
  readonly ms: number;
}

export interface AdminResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface Member extends RunningProgram {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** Empty unless `portal.enabled` is set. */
  readonly portalUrl: string;
  readonly get: (path: string, key: string) => Promise<MemberResponse>;
  readonly admin: (method: string, path: string, body?: unknown) => Promise<AdminResponse>;
  /** Replaces the settings of this gateway alone. They take effect with a reload. */
  readonly configure: (settings: Readonly<Record<string, unknown>>) => void;
  /** The parsed log lines whose message matches. */
  readonly logged: (message: RegExp) => Record<string, unknown>[];
  /** Kills the process, and closes the connections to it. */
  readonly kill: () => Promise<void>;
}

/** Gateways that run as separate processes and share a store. */
export class Fleet {
  readonly members: Member[] = [];
  readonly #folder = tempFolder();
  readonly #options: FleetOptions;
  #wasReady = false;

  private constructor(options: FleetOptions) {
    this.#options = options;
  }

  static async start(count: number, options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    await Promise.all(Array.from({ length: count }, (_, index) => fleet.#add(index)));
    return fleet;
  }

  /** Reads the used units of each window, as a consumer sees them. */
  async readUsage(secret: string): Promise<Record<string, number>> {
    const { text } = await this.members[0]!.get('/_gateway/usage', secret);
    const { windows } = JSON.parse(text) as { windows: { name: string; used: number }[] };
    return Object.fromEntries(windows.map(({ name, used }) => [name, used]));
  }

  /** Creates a key with the given limits. */
  async createKey(minute: number, day = 100_000, plan = 'enterprise'): Promise<{ id: string; secret: string }> {
    await this.#waitUntilReady();
    const limits = plan === 'enterprise' ? { minute, day } : null;
    const { body } = await this.members[0]!.admin('POST', '/keys', { name: 'test', owner: 'test', plan, limits });
    return { id: String(body['id']), secret: String(body['key']) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    this.#folder.remove();
  }

  /** On a slow machine, gateways listen before the tables of a new database are there. */
  async #waitUntilReady(): Promise<void> {
    if (this.#wasReady) return;
    for (const { adminUrl } of this.members) await until(async () => (await fetch(`${adminUrl}/readyz`)).ok);
    this.#wasReady = true;
  }

  async #add(index: number): Promise<void> {
    const dataDir = join(this.#folder.path, String(index));
    this.members[index] = await startMember(dataDir, {
      ...this.#options,
      env: createSkewedEnv(this.#options.clockSkew?.[index] ?? 0),
    });
  }
}

export interface MemberOptions extends Omit<FleetOptions, 'clockSkew'> {
  /** The folder with the sources. By default, the sources of this version. */
  readonly sources?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a gateway as a separate process. Creates its data directory if necessary. */
export async function startMember(dataDir: string, options: MemberOptions): Promise<Member> {
  const { store, database = 'sqlite:tollgate.db', settings, sources = root, env } = options;
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'gateway.yaml');
  const base = { plans: join(root, 'config/plans.yaml'), upstreams: [petstore] };
  const configure = (replacement = {}) => writeFileSync(file, stringify({ ...base, ...replacement }));
  configure(settings);
  const fixed = {
    TOLLGATE_CONFIG: file,
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_DATABASE: database,
    TOLLGATE_STORE: store,
    TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
  };
  const ports = { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' };
  const program = join(sources, 'src/main.ts');
  const running = runProgram(process.execPath, [program], { ...fixed, ...ports, ...env }, sources);
  const listening = /"publicUrl":"([^"]+)","adminUrl":"([^"]+)"(?:,"portalUrl":"([^"]+)")?/;
  const [, publicUrl = '', adminUrl = '', portalUrl = ''] = await running.waitForOutput(listening);
  // Requests are pipelined, so that thousands of them can be in progress without as many sockets.
  const pool = new Pool(publicUrl, { connections: 250, pipelining: 10 });
  return {
    ...running,
    publicUrl,
    adminUrl,
    portalUrl,
    configure,
    get: (path, key) => get(pool, path, key),
    admin: (method, path, body) => callAdmin(adminUrl, method, path, body),
    logged: (message) =>
      running
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => message.test(String(msg))),
    async kill() {
      running.child.kill('SIGKILL');
      await pool.destroy();
    },
  };
}

/** Creates the environment that shifts `Date.now`. The monotonic clock cannot be shifted. */
function createSkewedEnv(ms: number): Record<string, string> {
  if (ms === 0) return {};
  const patch = `const now = Date.now; Date.now = () => now() + ${ms};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(patch)}` };
}

async function get(pool: Pool, path: string, key: string): Promise<MemberResponse> {
  const from = performance.now();
  const { statusCode, headers, body } = await pool.request({ path, method: 'GET', headers: { 'x-api-key': key } });
  const text = await body.text();
  const code = statusCode < 400 ? undefined : (JSON.parse(text) as { code: string }).code;
  return { status: statusCode, headers: headers as Record<string, string>, code, text, ms: performance.now() - from };
}

async function callAdmin(url: string, method: string, path: string, body?: unknown): Promise<AdminResponse> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1${path}`, init);
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}
