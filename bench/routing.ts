import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createRouter } from '../src/openapi/operation-router.ts';
import { formatTable, formatSpread } from './table.ts';

/**
 * Measures how long it takes to find the operation of a request among many, without and with path parameters that span
 * slashes (called rests). Machines differ, so the important figure is the ratio to the time for hashing a key with
 * SHA-256, which every request does once. Both are measured in turn. Times are CPU times.
 */

const OPERATIONS = 5000;
/** Percentage of operations with a rest. In GitHub's document, it is 1%. */
const RESTS_PER_100 = 5;
const CALLS = 20_000;
const KEY = `tg_live_${'0123456789'.repeat(4).slice(2)}`;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '51' } } });

/** Creates operations in groups of four per resource: a list and an item, each with two methods. */
function createOperations(restsPer100: number) {
  return Array.from({ length: OPERATIONS }, (_, index) => {
    const resource = `/resources${index >> 2}`;
    const method = index % 2 === 0 ? 'GET' : 'POST';
    const path = `${resource}/{owner}/items${index % 4 < 2 ? '' : '/{item}'}`;
    const hasRest = index % 100 < restsPer100;
    // A rest has a separate path below the resource, so that all other paths are the same in both routers.
    return {
      operation: hasRest ? { method, path: `${resource}/{owner}/files${index % 4}/{file}`, hasRest } : { method, path },
    };
  });
}

const routers = { without: createRouter(createOperations(0)), with: createRouter(createOperations(RESTS_PER_100)) };
type Router = keyof typeof routers;

/**
 * Creates paths of resources in random order, as a gateway receives them. None of these resources has a rest instead of
 * an item.
 */
function createPaths(suffix: string): readonly string[] {
  return Array.from({ length: 1024 }, () => {
    const hundred = Math.floor((Math.random() * OPERATIONS) / 100) * 25;
    return `/resources${hundred + 2 + Math.floor(Math.random() * 23)}/acme/${suffix}`;
  });
}

const restPaths = Array.from({ length: 1024 }, (_, index) => {
  return `/resources${(index % (OPERATIONS / 100)) * 25}/acme/files0/guides/first/steps.md`;
});

const CASES = [
  { title: 'a list', method: 'GET', paths: createPaths('items'), kind: 'operation' },
  { title: 'an item', method: 'GET', paths: createPaths('items/4711'), kind: 'operation' },
  { title: 'another method (405)', method: 'DELETE', paths: createPaths('items/4711'), kind: 'no_method' },
  { title: 'no operation (404)', method: 'GET', paths: createPaths('nothing/4711'), kind: 'no_path' },
  { title: 'a rest', method: 'GET', paths: restPaths, kind: 'operation' },
] as const;

/** Measures the CPU time of a call, in ns. */
function measureNsPerCall(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / CALLS;
}

function hashKeys(): void {
  for (let index = 0; index < CALLS; index++) createHash('sha256').update(KEY).digest('hex');
}

const measurements = CASES.flatMap(({ title, method, paths, kind }) =>
  (Object.keys(routers) as Router[]).flatMap((router) => {
    const match = routers[router];
    if (match(method, paths[0] ?? '').kind !== kind) {
      if (title === 'a rest' && router === 'without') return [];
      throw new Error(`${title} is not found ${router} rests`);
    }
    const work = () => {
      for (let index = 0; index < CALLS; index++) match(method, paths[index & 1023] ?? '');
    };
    return [{ title, router, work, rounds: [] as { ns: number; ratio: number }[] }];
  }),
);

// Warm up, so that V8 has compiled everything before the measurement.
for (let round = 0; round < 10; round++) for (const { work } of measurements) work();
for (let round = 0; round < Number(values.rounds); round++) {
  const hashNs = measureNsPerCall(hashKeys);
  // Every other round runs in reverse, so that no case always comes first or last.
  for (const { work, rounds } of round % 2 === 0 ? measurements : measurements.toReversed()) {
    const ns = measureNsPerCall(work);
    rounds.push({ ns, ratio: ns / hashNs });
  }
}

function median(of: readonly number[]): number {
  return of.toSorted((a, b) => a - b)[of.length >> 1] ?? NaN;
}

const findRounds = (title: string, router: Router) =>
  measurements.find((each) => each.title === title && each.router === router)?.rounds ?? [];
const rows = CASES.map(({ title }) => {
  const [without, withRests] = [findRounds(title, 'without'), findRounds(title, 'with')];
  const pairs = withRests.map(({ ns }, round) => ns / (without[round]?.ns ?? NaN));
  const cells = [without, withRests].map((rounds) =>
    rounds.length === 0
      ? ''
      : `${Math.round(median(rounds.map(({ ns }) => ns)))} ns, ${median(rounds.map(({ ratio }) => ratio)).toFixed(2)}`,
  );
  return [title, ...cells, without.length === 0 ? '' : `${median(pairs).toFixed(2)} (${formatSpread(pairs, 2)})`];
});
const head = [
  `${OPERATIONS.toLocaleString('en')} operations: time, and ratio to hashing a key`,
  'no rests',
  `${RESTS_PER_100}% rests`,
  'with / without, in pairs',
];
process.stdout.write(`${formatTable(head, rows)}\n`);
