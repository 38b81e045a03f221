import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { parseDatabase } from '../src/storage/database.ts';
import { openDatabase } from '../src/storage/open.ts';
import { generateKey } from '../src/control-plane/registry/key.ts';
import { free } from '../test/support/registry-data.ts';
import { Registry } from '../src/control-plane/registry/registry.ts';
import type { BrowserPage } from '../test/support/browser/browser-page.ts';
import { startConsole } from '../test/console/support/console.ts';
import type { TestGateway } from '../test/support/gateway/gateway.ts';
import { PostgresServer } from '../test/support/servers/postgres-server.ts';
import { RedisServer } from '../test/support/servers/redis-server.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  {
    keys: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'sqlite,postgres' },
  },
  `npm run many-keys -- [options]

What operators wait for when there are many keys: lists and searches of the admin API, and the console in a browser.

  --keys N         how many keys (100000), of N/20 owners
  --only A,B       of sqlite (with counters in the process), postgres (with Redis)`,
);

/** Keys per transaction. */
const BATCH_SIZE = 5000;
const REPEATS = 100;
const count = Number(values.keys);
const owners = Math.ceil(count / 20);
const change = { actor: 'system', reason: 'bench', at: Date.now() };

/** Paths below `/v1`. */
const REQUESTS: Readonly<Record<string, string>> = {
  'keys, first page': '/keys?limit=100',
  'keys, with usage': '/keys?limit=100&include=usage',
  'keys of an owner': '/keys?limit=100&owner=owner-77',
  'search: in every name': '/keys?limit=100&q=production',
  'search: in every id': '/keys?limit=100&q=key_',
  'search: in 1 of 1,000 names': '/keys?limit=100&q=team%20123%20',
  'search: in none': '/keys?limit=100&q=nowhere%20at%20all',
  'search of a plan: in every name': '/keys?limit=100&plan=free&q=production',
  'owners, first page': '/owners?limit=100',
  'owners: in every name': '/owners?limit=100&q=owner',
  'owners: in one name': `/owners?limit=100&q=owner-${owners - 1}`,
  'owners: in none': '/owners?limit=100&q=nobody',
};

const columns: string[][] = [];
const names = values.only.split(',');
for (const name of names) columns.push(await (name === 'sqlite' ? measureSqlite() : measurePostgres()));
const labels = [
  ...Object.keys(REQUESTS).map((name) => `${name}: p50, p99`),
  'console: keys are there',
  'console: 1,000 more by scrolling',
  'console: a search is answered',
  'console: owners are there',
];
const rows = labels.map((label, row) => [label, ...columns.map((column) => column[row] ?? '')]);
process.stdout.write(`\n${formatTable([`${count.toLocaleString('en')} keys, ms`, ...names], rows)}\n`);

async function measureSqlite(): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-many-keys-'));
  try {
    await seed('sqlite:tollgate.db', dataDir);
    return await measure({}, dataDir);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function measurePostgres(): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-many-keys-'));
  const redis = await RedisServer.start({ appendOnly: true });
  const postgres = await PostgresServer.start({ settings: { shared_buffers: '256MB' } });
  try {
    await seed(postgres.url(), dataDir);
    // With this many new rows, autovacuum would run within a minute anyway.
    await postgres.query('VACUUM ANALYZE keys');
    return await measure({ TOLLGATE_STORE: redis.url, TOLLGATE_DATABASE: postgres.url() }, dataDir);
  } finally {
    await redis.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  }
}

async function seed(text: string, dataDir: string): Promise<void> {
  const location = parseDatabase(text, dataDir);
  if (location === null) throw new Error('the location cannot be read');
  const database = await openDatabase(location, pino({ level: 'silent' }));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  for (let createdCount = 0; createdCount < count; createdCount += BATCH_SIZE) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, count - createdCount) }, (_, index) =>
      createKey(createdCount + index),
    );
    await registry.createKeys(batch, change);
    process.stderr.write(`\r${createdCount + batch.length} of ${count} keys`);
  }
  process.stderr.write('\n');
  await database.close();
}

function createKey(index: number) {
  const name = `Service ${index} of team ${index % 1000} in production`;
  const fields = {
    name,
    owner: `owner-${index % owners}`,
    plan: 'free',
    limits: null,
    concurrent: null,
    operations: null,
    addresses: null,
    validation: null,
    expiresAt: null,
    metadata: {},
  };
  return generateKey(fields, change.at).key;
}

async function measure(env: Record<string, string>, dataDir: string): Promise<string[]> {
  const consoleUnderTest = await startConsole({ dataDir, env });
  try {
    const responseTimes = [];
    for (const path of Object.values(REQUESTS))
      responseTimes.push(await measureResponses(consoleUnderTest.gateway, path));
    const page = await consoleUnderTest.open();
    return [...responseTimes, ...(await measureBrowser(page))];
  } finally {
    await consoleUnderTest.stop();
  }
}

async function measureResponses(gateway: TestGateway, path: string): Promise<string> {
  const durations: number[] = [];
  for (let time = 0; time < REPEATS; time++) {
    const from = performance.now();
    const response = await gateway.admin(`/v1${path}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
    durations.push(performance.now() - from);
  }
  durations.sort((a, b) => a - b);
  const formatQuantile = (quantile: number) =>
    (durations[Math.floor((durations.length - 1) * quantile)] ?? 0).toFixed(1);
  return `${formatQuantile(0.5)}, ${formatQuantile(0.99)}`;
}

async function measureBrowser(open: BrowserPage): Promise<string[]> {
  const { page } = open;
  const rowAt = (index: number) => page.locator(`tr[aria-rowindex="${index}"]`);
  const opened = await measureTime(async () => {
    await page.evaluate("location.hash = '/keys'");
    await rowAt(2).waitFor();
  });
  const scrolled = await measureTime(async () => {
    while ((await rowAt(1002).count()) === 0) await page.mouse.wheel(0, 5000);
  });
  await open.show('/keys');
  const searched = await measureTime(async () => {
    await page.getByRole('searchbox').first().fill('team 123 ');
    await page.locator('tbody tr', { hasText: 'of team 123 in' }).first().waitFor();
  });
  const listed = await measureTime(async () => {
    await page.evaluate("location.hash = '/owners'");
    await page.getByRole('link', { name: 'owner-0', exact: true }).waitFor();
  });
  return [opened, scrolled, searched, listed];
}

async function measureTime(work: () => Promise<void>): Promise<string> {
  const from = performance.now();
  await work();
  return (performance.now() - from).toFixed(0);
}
