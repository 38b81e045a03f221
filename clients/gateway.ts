import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

const root = join(import.meta.dirname, '..');

export interface TestKey {
  readonly id: string;
  readonly secret: string;
}

export interface Gateway {
  readonly url: string;
  createKey(limits: { readonly minute: number; readonly day: number }): Promise<TestKey>;
  ban(key: TestKey, seconds: number): Promise<void>;
  /** Makes calls that are served. */
  use(key: TestKey, calls: number): Promise<void>;
  /** Stops the gateway, and returns what each key did, by key id. */
  stop(): Promise<ReadonlyMap<string, Conduct>>;
}

export interface Conduct {
  /** Calls that the gateway responded to. */
  readonly calls: number;
  /** Strikes at the end; a ban clears them. */
  readonly strikes: number;
  /** Whether the gateway banned it, rather than the operator. */
  readonly banned: boolean;
}

/** Starts the gateway as `npm start` does, with default settings and the embedded store, before a service of its own. */
export async function startGateway(): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
  const service = await startService();
  writeConfiguration(folder, service.url);
  const token = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      TOLLGATE_CONFIG: join(folder, 'gateway.yaml'),
      TOLLGATE_DATA_DIR: folder,
      TOLLGATE_ADMIN_TOKEN: token,
      TOLLGATE_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_PORTAL_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close');

  const calls = new Map<string, number>();
  const { url, adminUrl } = await new Promise<{ url: string; adminUrl: string }>((resolve, reject) => {
    void ended.then(() => reject(new Error('the gateway did not start')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      // The link to the console is printed between the log lines.
      if (!line.startsWith('{')) return;
      const said = JSON.parse(line) as { msg: string; publicUrl?: string; adminUrl?: string; keyId?: string };
      if (said.msg === 'listening') resolve({ url: said.publicUrl ?? '', adminUrl: said.adminUrl ?? '' });
      if (said.msg === 'response' && said.keyId !== undefined) calls.set(said.keyId, (calls.get(said.keyId) ?? 0) + 1);
    });
  });

  async function manage(method: string, path: string, body: object): Promise<unknown> {
    const response = await fetch(`${adminUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }

  const used = new Map<string, number>();
  return {
    url,
    async createKey(limits) {
      const body = { name: 'client', owner: 'clients', plan: 'custom', limits };
      const created = (await manage('POST', '/keys', body)) as { id: string; key: string };
      return { id: created.id, secret: created.key };
    },
    async ban(key, seconds) {
      await manage('PUT', `/keys/${key.id}/ban`, { seconds, reason: 'to see what clients do' });
    },
    async use(key, count) {
      used.set(key.id, (used.get(key.id) ?? 0) + count);
      for (let call = 0; call < count; call++) {
        const response = await fetch(`${url}/models-api/models`, { headers: { 'X-API-Key': key.secret } });
        if (response.status !== 200) throw new Error(`call ${call + 1} of ${count}: status ${response.status}`);
        await response.body?.cancel();
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
      await service.stop();
      const quotas = readQuotas(folder);
      rmSync(folder, { recursive: true });
      return new Map(
        Array.from(calls, ([id, count]) => {
          const { strikes = 0, banned = false } = quotas.get(id) ?? {};
          return [id, { calls: count - (used.get(id) ?? 0), strikes, banned }];
        }),
      );
    },
  };
}

/** The counters that the gateway stored when it stopped. Only automatic bans raise the level. */
function readQuotas(folder: string): ReadonlyMap<string, { strikes: number; banned: boolean }> {
  const database = new DatabaseSync(join(folder, 'counters.db'), { readOnly: true });
  const rows = database.prepare('SELECT quota_id, strikes, ban_level FROM quotas').all();
  database.close();
  return new Map(
    rows.map((row) => [
      String(row['quota_id']),
      { strikes: Number(row['strikes']), banned: Number(row['ban_level']) > 0 },
    ]),
  );
}

/** Serves what the SDKs expect of a list of models; `/failing-api` is always unavailable. */
async function startService(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const failing = request.url?.startsWith('/failing-api') === true;
    response.writeHead(failing ? 503 : 200, { 'Content-Type': 'application/json' });
    response.end(failing ? '{"error":"overloaded"}' : '{"object":"list","data":[],"has_more":false}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeConfiguration(folder: string, serviceUrl: string): void {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const brownout = {
    deprecated: true,
    'x-deprecated-at': at(-24 * hour),
    'x-brownouts': [{ from: at(-hour), to: at(hour) }],
  };
  const operations = ['models-api', 'old-api', 'failing-api'].flatMap((api) =>
    // The Anthropic SDK adds the version to the path.
    ['models', 'v1/models'].map((path) => [
      `/${api}/${path}`,
      {
        get: {
          operationId: `${api}-${path.replace('/', '-')}`,
          responses: { '200': { description: 'A list of models' } },
          ...(api === 'old-api' ? brownout : {}),
        },
      },
    ]),
  );
  const document = {
    openapi: '3.1.0',
    info: { title: 'Models', version: '1.0.0' },
    paths: Object.fromEntries(operations) as object,
  };
  const settings = { plans: 'plans.yaml', upstreams: [{ name: 'models', openapi: 'api.yaml', targets: [serviceUrl] }] };
  // JSON is YAML, too.
  writeFileSync(join(folder, 'api.yaml'), JSON.stringify(document));
  writeFileSync(
    join(folder, 'plans.yaml'),
    JSON.stringify({ plans: [{ id: 'custom', name: 'Custom', custom: true }] }),
  );
  writeFileSync(join(folder, 'gateway.yaml'), JSON.stringify(settings));
}
