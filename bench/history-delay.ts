import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { filledPostgres, filledSqlite } from './history/database.ts';
import type { Said, Told } from './history/reporting-gateway.ts';
import { markdown } from './table.ts';

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '100000' },
    days: { type: 'string', default: '365' },
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', default: 'sqlite,postgres' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`npm run history-delay -- [options]

Latency of a steady load before and while reports over a year are made one after the other in the same process; and, to
compare, while another process does nothing but take a core: no report can delay requests less than that.

  --keys N      keys (100000)
  --days N      days of history (365)
  --rate N      requests per second (300)
  --seconds N   for each measurement (20)
  --only A,B    of sqlite, postgres
`);
  process.exit();
}

const [keys, days, rate, seconds] = [values.keys, values.days, values.rate, values.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];
const agent = new Agent({ connections: 32 });

/** For longer than one load takes. */
const BUSY_LOOP = 'for (const end = Date.now() + 600_000; Date.now() < end; );';

/** The demo key must not be refused. */
const plans = join(tmpdir(), `tollgate-plans-${process.pid}.yaml`);
writeFileSync(plans, 'plans:\n  - { id: free, name: Free, limits: { minute: 100000000, day: 100000000 } }\n');

const rows: string[][] = [];
for (const kind of values.only.split(',')) rows.push(...(await measure(kind)));
process.stdout.write(`\n${markdown(['', 'requests', 'p50, ms', 'p99, ms', 'max, ms', 'reports'], rows)}\n`);
await agent.close();

async function measure(kind: string): Promise<string[][]> {
  const size = { spread: 'skewed', keys, days, busy: 40, now: Date.now() } as const;
  const database = await (kind === 'sqlite' ? filledSqlite(size) : filledPostgres(size));
  process.stderr.write(`${kind}: ${database.megabytes.toFixed(0)} MB, ${JSON.stringify(database.filled.counts)}\n`);
  const file = join(import.meta.dirname, 'history/reporting-gateway.ts');
  const child = fork(file, [JSON.stringify(database.settings), plans], { stdio: 'inherit' });
  try {
    const ready = await heard(child, 'ready');
    const load = () => times(`${ready.url}/pets?limit=1`, ready.key);
    await load();
    const before = row(`${kind}: before`, await load(), '');
    const beside = row(`${kind}: beside a busy loop`, await besideBusyLoop(load), '');
    tell(child, 'report');
    await sleep(500);
    const during = await load();
    tell(child, 'stop');
    const { done, failed } = await heard(child, 'reported');
    const after = row(`${kind}: after`, await load(), '');
    return [before, beside, row(`${kind}: during`, during, `${done}, and ${failed} that took too long`), after];
  } finally {
    tell(child, 'exit');
    await once(child, 'exit');
    await database.dispose();
  }
}

async function besideBusyLoop(load: () => Promise<number[]>): Promise<number[]> {
  const busy = spawn(process.execPath, ['--eval', BUSY_LOOP]);
  const ended = once(busy, 'exit');
  try {
    return await load();
  } finally {
    busy.kill();
    await ended;
  }
}

function tell(child: ChildProcess, told: Told): void {
  if (child.connected) child.send(told);
}

async function heard<Kind extends Said['kind']>(child: ChildProcess, kind: Kind) {
  for (;;) {
    const [said] = (await once(child, 'message')) as [Said];
    if (said.kind === kind) return said as Extract<Said, { kind: Kind }>;
  }
}

/** Requests at a steady rate. @returns ms from when each was due, so that one that was sent late counts as slow */
async function times(url: string, key: string): Promise<number[]> {
  const taken: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < rate * seconds; index++) {
    const due = start + (index * 1000) / rate;
    const earlyMs = due - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    pending.push(
      request(url, { dispatcher: agent, headers: { 'X-API-Key': key } }).then(async ({ statusCode, body }) => {
        await body.dump();
        if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
        taken.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(pending);
  return taken;
}

function row(title: string, taken: readonly number[], reports: string): string[] {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
  return [title, String(sorted.length), at(0.5), at(0.99), at(1), reports];
}
