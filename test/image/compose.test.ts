/**
 * The topology of docker-compose.yml, with the images that this run has built: two gateways behind a load balancer, with
 * the pet store, PostgreSQL and Redis. Only the ports that it publishes are others, because those may be in use.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { root } from '../support/gateway/gateway.ts';
import { runCommand, tryCommand } from '../support/image/commands.ts';
import { installPrograms, isOnPath } from '../support/servers/install-programs.js';
import { until } from '../support/until.ts';

/** Images of the compose file that this run has built under other names. */
const BUILT: Readonly<Record<string, string>> = {
  tollgate: 'tollgate-test',
  'tollgate-balancer': 'tollgate-balancer-test',
};
const START_MS = 240_000;
const ADMIN_TOKEN = 'f'.repeat(64);
const env = { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, POSTGRES_PASSWORD: 'e'.repeat(32) };

const FILE = composeFile();
let command: readonly string[];
let apiUrl: string;
let portalUrl: string;
let adminUrl: string;
let key: string;

interface ComposeFile {
  services: Record<string, { image: string; build?: unknown; ports?: string[] }>;
}

beforeAll(async () => {
  command = [...(await findCompose()), '--project-name', 'tollgate-test', '--project-directory', root];
  command = [...command, '--file', '-'];
  // An interrupted run leaves its containers and volumes, with the gateways that it started.
  await compose('down', '--volumes', '--timeout', '5');
  await startServices();
  [apiUrl, portalUrl, adminUrl] = [
    await findUrl('balancer', 8080),
    await findUrl('balancer', 8082),
    await findUrl('gateway-a', 8081),
  ];
  await untilServed();
  const made = await compose(
    'exec',
    '-T',
    'gateway-b',
    'tollgate',
    'keys',
    'create',
    '--owner',
    'acme',
    '--name',
    'Shop',
    '--plan',
    'free',
  );
  key = /tg_live_\w+/.exec(made)?.[0] ?? '';
}, START_MS);

afterAll(async () => {
  if (command !== undefined) await compose('down', '--volumes', '--timeout', '5');
});

/** Compose is a plugin of newer Docker clients and a program beside older ones. */
async function findCompose(): Promise<readonly string[]> {
  if ((await tryCommand(['docker', 'compose', 'version'])).ok) return ['docker', 'compose'];
  installPrograms([
    {
      name: 'Docker Compose',
      isThere: () => isOnPath('docker-compose'),
      apt: 'docker-compose',
      others: 'see docs.docker.com/compose/install',
    },
  ]);
  return ['docker-compose'];
}

/** The compose file with these images, and on free ports. */
function composeFile(): string {
  const file = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;
  for (const service of Object.values(file.services)) {
    service.image = BUILT[service.image] ?? service.image;
    delete service.build;
    if (service.ports !== undefined)
      service.ports = service.ports.map((each) => `127.0.0.1::${/\d+$/.exec(each)?.[0]}`);
  }
  // In YAML 1.1, as Compose reads it, an unquoted `yes` is a boolean.
  return stringify(file, { version: '1.1', aliasDuplicateObjects: false });
}

function compose(...args: string[]): Promise<string> {
  return runCommand([...command, ...args], { env, input: FILE });
}

/** Starts all services, in the order of their health checks. */
async function startServices(): Promise<void> {
  const { ok, output } = await tryCommand([...command, 'up', '--detach', '--no-build'], { env, input: FILE });
  if (!ok) throw new Error(`${output}\n${await compose('ps')}\n${await compose('logs', '--tail', '20')}`);
}

/** URL of a port that a service publishes. */
async function findUrl(service: string, port: number): Promise<string> {
  return `http://${(await compose('port', service, String(port))).trim()}`;
}

/** Waits until the load balancer has a gateway: it responds to a request without a key with 401. */
async function untilServed(): Promise<void> {
  await until(async () => {
    try {
      return (await fetch(`${apiUrl}/pets`)).status === 401;
    } catch {
      return false;
    }
  });
}

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${apiUrl}${path}`, { ...init, headers: { 'X-API-Key': key } });
}

test('both gateways serve the pet store behind the load balancer, and share the quota', async () => {
  const remaining: number[] = [];
  for (let sent = 0; sent < 10; sent++) {
    const response = await call('/pets');
    expect(response.status).toBe(200);
    expect(await response.json()).toContainEqual(expect.objectContaining({ name: 'Rex' }));
    remaining.push(Number(response.headers.get('x-ratelimit-remaining')));
  }
  expect(remaining).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]);
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const { items } = (await (await fetch(`${adminUrl}/v1/gateways`, { headers })).json()) as { items: unknown[] };
  expect(items).toHaveLength(2);
});

test('the portal and the console are served', async () => {
  for (const url of [`${portalUrl}/`, `${adminUrl}/console/`]) {
    const response = await fetch(url);
    expect([url, response.status, response.headers.get('content-type')]).toEqual([
      url,
      200,
      expect.stringContaining('text/html'),
    ]);
    await response.text();
  }
});

test('the gateway does not run as root, has no capabilities, and cannot write to its image', async () => {
  expect((await compose('exec', '-T', 'gateway-a', 'id', '-u')).trim()).toBe('1000');
  const status = await compose('exec', '-T', 'gateway-a', 'cat', '/proc/self/status');
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  for (const folder of ['/app', '/tmp', '/usr/local/bin']) {
    const { ok, output } = await tryCommand([...command, 'exec', '-T', 'gateway-a', 'touch', `${folder}/file`], {
      env,
      input: FILE,
    });
    expect([folder, ok, output]).toEqual([
      folder,
      false,
      expect.stringMatching(/Read-only file system|Permission denied/),
    ]);
  }
});

test(
  'pets, keys and counters survive new containers',
  async () => {
    const created = await fetch(`${apiUrl}/pets`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Luna', categoryId: 1, status: 'available' }),
    });
    const { id } = (await created.json()) as { id: number };
    expect(created.status).toBe(201);
    const before = Number((await call('/pets')).headers.get('x-ratelimit-remaining'));
    // Redis writes to its file every second.
    await until(async () =>
      /aof_pending_bio_fsync:0/.test(await compose('exec', '-T', 'redis', 'redis-cli', 'info', 'persistence')),
    );
    await compose('down', '--timeout', '15');
    await startServices();
    apiUrl = await findUrl('balancer', 8080);
    await untilServed();
    const pet = await call(`/pets?id=${id}`);
    expect(await pet.json()).toEqual([expect.objectContaining({ id, name: 'Luna' })]);
    const used = await call('/_gateway/usage');
    const { windows } = (await used.json()) as { windows: { name: string; used: number; limit: number }[] };
    // Compare the counter of the day, because the minute may be over.
    const day = windows.find(({ name }) => name === 'day');
    expect(day?.used).toBeGreaterThanOrEqual(60 - before);
  },
  START_MS,
);

test('a stopping gateway leaves its requests to the other one', async () => {
  const stopping = compose('stop', 'gateway-a');
  const statuses = new Set<number>();
  const stopped = new AbortController();
  void stopping.finally(() => stopped.abort());
  for (let sent = 0; sent < 1000 && !stopped.signal.aborted; sent++) {
    const response = await call('/_gateway/usage');
    statuses.add(response.status);
    await response.text();
  }
  await stopping;
  // The endpoint's own limit (429) is one that only a gateway can apply.
  expect(statuses).toContain(200);
  expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
});
