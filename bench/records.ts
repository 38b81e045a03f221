import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { Database, DatabaseLocation } from '../src/storage/database.ts';
import { openDatabase } from '../src/storage/open.ts';
import { generateKeyId, generateSecret, keyPreview } from '../src/domain/key-format.ts';
import type { NewKey } from '../src/control-plane/registry/key.ts';
import { Registry } from '../src/control-plane/registry/registry.ts';
import { free as plan } from '../test/support/registry-data.ts';
import { PostgresServer } from '../test/support/servers/postgres-server.ts';
import { markdown } from './table.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000000' },
    'look-ups': { type: 'string', default: '5000' },
    only: { type: 'string', default: 'sqlite,postgres' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`npm run records -- [options]

What the database of keys costs when it is large, in SQLite and in a PostgreSQL of its own.

  --keys N         how many keys (1000000)
  --look-ups N     how many of them are looked up, each once (5000)
  --only A,B       of sqlite, postgres
`);
  process.exit();
}

/** One transaction each. */
const LOT = 10_000;
const count = Number(values.keys);
const change = { actor: 'system', reason: 'bench', at: Date.now() };
const silent = pino({ level: 'silent' });

const columns: string[][] = [];
for (const name of values.only.split(',')) columns.push(await (name === 'sqlite' ? inSqlite() : inPostgres()));
const labels = [
  'seeding, keys/s',
  'the last 10,000, s',
  'opening it, ms',
  'a look-up, µs: median',
  'a look-up, µs: p99',
  'a look-up of 16 at once, µs: p99',
  'CPU of a look-up here, µs',
  'an unknown key, µs: p99',
  'list, first page, ms: p99',
  'list of an owner, ms: p99',
  'list of a rare status, ms: p99',
  'search, one key by its id, ms: p99',
  'search, a part of 1,000 names, ms: p99',
  'search, a part of every id, ms: p99',
  'search, a part of none, ms: p99',
];
const rows = labels.map((label, row) => [label, ...columns.map((column) => column[row] ?? '')]);
process.stdout.write(`\n${markdown([`${count.toLocaleString('en')} keys`, ...values.only.split(',')], rows)}\n`);

async function inSqlite(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-records-'));
  try {
    return await measure({ kind: 'sqlite', file: join(folder, 'tollgate.db') }, async () => {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inPostgres(): Promise<string[]> {
  const server = await PostgresServer.start({ settings: { fsync: 'on', shared_buffers: '256MB' } });
  try {
    return await measure({ kind: 'postgres', url: server.url() }, async () => {
      // As autovacuum does within a minute of so many rows.
      await server.query('VACUUM ANALYZE keys');
    });
  } finally {
    await server.stop();
  }
}

async function measure(location: DatabaseLocation, settle: () => Promise<void>): Promise<string[]> {
  const first = await openDatabase(location, silent);
  const { hashes, ids, seconds, lastLot } = await seed(first);
  await first.close();
  await settle();
  const opening = performance.now();
  const database = await openDatabase(location, silent);
  const openMs = performance.now() - opening;
  const registry = new Registry(database);
  const lookUp = (hash: string) => registry.findCredential(hash);
  for (const hash of hashes.slice(0, 500)) await lookUp(hash);
  const fresh = hashes.slice(500);
  const cpu = process.cpuUsage();
  const single = await times(fresh, lookUp);
  const { user, system } = process.cpuUsage(cpu);
  const many = (await Promise.all(lots(fresh, 16).map((lot) => times(lot, lookUp)))).flat();
  const unknown = await times(fresh.slice(0, 2000), (hash) => lookUp(`${hash}?`));
  const list = (filter: object) => () => registry.listKeys(filter, { limit: 100 });
  const rare = await registry.getKey(ids[7]!);
  await registry.updateKey(rare!.id, { status: 'disabled' }, change);
  const fifty = Array.from({ length: 50 }, (_, index) => index);
  const ms = async (work: () => Promise<unknown>) => at(await times(fifty, work), 0.99).toFixed(1);
  const column = [
    Math.round(count / seconds).toLocaleString('en'),
    lastLot.toFixed(2),
    openMs.toFixed(0),
    (at(single, 0.5) * 1000).toFixed(0),
    (at(single, 0.99) * 1000).toFixed(0),
    (at(many, 0.99) * 1000).toFixed(0),
    ((user + system) / fresh.length).toFixed(0),
    (at(unknown, 0.99) * 1000).toFixed(0),
    await ms(list({})),
    await ms(list({ owner: 'owner 77' })),
    await ms(list({ status: 'disabled' })),
    await ms(list({ search: ids[11]!.slice(6, 16) })),
    await ms(list({ search: 'team 123 ' })),
    await ms(list({ search: 'key_' })),
    await ms(list({ search: 'nowhere at all' })),
  ];
  await database.close();
  return column;
}

async function seed(database: Database) {
  const registry = new Registry(database);
  await registry.seedPlans([plan], change);
  const every = Math.max(1, Math.floor(count / Number(values['look-ups'])));
  const [hashes, ids]: [string[], string[]] = [[], []];
  const from = performance.now();
  let lastLot = 0;
  for (let made = 0; made < count; made += LOT) {
    const lot = Array.from({ length: Math.min(LOT, count - made) }, (_, index) => newKey(made + index));
    for (let index = 0; index < lot.length; index += every) {
      hashes.push(lot[index]!.hash);
      ids.push(lot[index]!.id);
    }
    const lotFrom = performance.now();
    await registry.createKeys(lot, change);
    lastLot = (performance.now() - lotFrom) / 1000;
    process.stderr.write(`\r${made + lot.length} of ${count} keys`);
  }
  process.stderr.write('\n');
  const seconds = (performance.now() - from) / 1000;
  // In no order that the database has seen.
  return { hashes: hashes.toSorted(), ids, seconds, lastLot };
}

function newKey(index: number): NewKey {
  const id = generateKeyId();
  return {
    id,
    quotaId: id,
    name: `Service ${index} of team ${index % 1000} in production`,
    owner: `owner ${index % 5000}`,
    plan: plan.id,
    limits: null,
    operations: null,
    addresses: null,
    externalId: null,
    status: 'active',
    metadata: { team: String(index % 1000) },
    ...keyPreview(generateSecret()),
    createdAt: change.at,
    expiresAt: null,
  };
}

/** In ms, one after the other. */
async function times<T>(inputs: readonly T[], work: (input: T) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (const input of inputs) {
    const from = performance.now();
    await work(input);
    taken.push(performance.now() - from);
  }
  return taken;
}

function at(taken: readonly number[], quantile: number): number {
  const sorted = taken.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0;
}

function lots<T>(all: readonly T[], into: number): T[][] {
  return Array.from({ length: into }, (_, lot) => all.filter((_, index) => index % into === lot));
}
