import { performance } from 'node:perf_hooks';
import { DAY_MS } from '../src/base/time.ts';
import { openHistoryClient } from '../src/control-plane/history/worker/history-client.ts';
import type { UsageQuery } from '../src/control-plane/history/store/history-store.ts';
import { fillPostgres, fillSqlite, logger } from './history/database.ts';
import type { Spread } from './history/data.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  {
    keys: { type: 'string', default: '100000' },
    days: { type: 'string', default: '31' },
    busy: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: 'sqlite,postgres' },
    spread: { type: 'string', default: 'uniform,skewed' },
  },
  `npm run history-reports -- [options]

How long reports of usage take, asked of the worker thread, in SQLite and in a PostgreSQL of its own.

  --keys N         keys (100000)
  --days N         days of history (31)
  --busy N         keys with hours, and many operations (40)
  --rounds N       how often each report is asked for (20)
  --only A,B       of sqlite, postgres
  --spread A,B     of uniform (all keys alike), skewed (the nth key has a nth of the requests)`,
);

const now = Date.now();
const [keys, days, busy, rounds] = [values.keys, values.days, values.busy, values.rounds].map(Number) as [
  number,
  number,
  number,
  number,
];

const rows: string[][] = [];
for (const spread of values.spread.split(',') as Spread[]) {
  for (const kind of values.only.split(',')) rows.push(...(await measure(kind, spread)));
}
const head = ['database', 'report', 'rows', 'MB', 'median, ms', 'p99, ms', 'first, ms', 'CPU here, ms'];
process.stdout.write(`\n${formatTable(head, rows)}\n`);

async function measure(kind: string, spread: Spread): Promise<string[][]> {
  const size = { spread, keys, days, busy, now };
  const from = performance.now();
  const database = await (kind === 'sqlite' ? fillSqlite(size) : fillPostgres(size));
  process.stderr.write(`${kind}, ${spread}: filled in ${((performance.now() - from) / 1000).toFixed(0)} s\n`);
  const history = await openHistoryClient(database.settings, logger);
  try {
    const top = { by: 'key', every: 'day', from: now - 30 * DAY_MS, limit: 20 } as const;
    const { counts, busyIds } = database.filled;
    const one = { every: 'hour', from: now - 90 * DAY_MS, limit: 1 } as const;
    const reports: [string, (round: number) => Omit<UsageQuery, 'to' | 'now'>][] = [
      ['90 days of a key by the hour', (round) => ({ ...one, key: busyIds[round % busyIds.length] ?? '' })],
      ['the 20 busiest keys of 30 days', () => top],
      ['the 8 busiest keys of a year', () => ({ ...top, from: now - 365 * DAY_MS, limit: 8 })],
      ['the 20 busiest owners of 30 days', () => ({ ...top, by: 'owner' })],
      ['a year by plan', () => ({ ...top, by: 'plan', from: now - 365 * DAY_MS, limit: 8 })],
    ];
    const lines: string[][] = [];
    for (const [title, query] of reports) {
      const times: number[] = [];
      const cpuBefore = process.cpuUsage();
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        await history.usage({ ...query(round), to: now, now });
        times.push(performance.now() - started);
      }
      const cpu = process.cpuUsage(cpuBefore);
      const sorted = times.toSorted((a, b) => a - b);
      const count = Object.values(counts).reduce((sum, of) => sum + of, 0);
      const figures = [
        sorted[Math.floor(rounds / 2)],
        sorted[Math.ceil(rounds * 0.99) - 1],
        times[0],
        (cpu.user + cpu.system) / 1000 / rounds,
      ];
      lines.push([
        `${kind}, ${spread}`,
        title,
        count.toLocaleString('en'),
        database.megabytes.toFixed(0),
        ...figures.map((time) => (time ?? 0).toFixed(1)),
      ]);
    }
    process.stderr.write(`${JSON.stringify(counts)}\n`);
    return lines;
  } finally {
    await history.close();
    await database.dispose();
  }
}
