import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filledPostgres, filledSqlite } from './history/database.ts';
import type { Said, Told } from './history/reporting-gateway.ts';
import type { Lab } from './lab/lab.ts';
import { applyOpenLoad } from './lab/open-loop/open-loop.ts';
import type { LoadReport } from './lab/open-loop/run-load.ts';
import { output } from './lab/process.ts';
import { options, print, progress, withLab } from './lab/session.ts';
import { median } from './measure.ts';
import { markdown, spread } from './table.ts';

const values = options(
  {
    keys: { type: 'string', default: '100000' },
    days: { type: 'string', default: '365' },
    rate: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '5' },
    apart: { type: 'boolean', default: false },
    only: { type: 'string', default: 'sqlite,postgres' },
  },
  `npm run history-delay -- [options]

Latency of a steady load while nothing else happens, while reports over a year are made one after the other in the same
process, and, to compare, while another process does nothing but take a core: no report can delay requests less than
that. In turn, so that a slow minute of the machine is everybody's.

  --keys N          keys (100000)
  --days N          days of history (365)
  --rate N          requests per second (500)
  --rounds N        how often each is measured (7)
  --seconds N       for how long each time (5)
  --apart           the gateway's event loop has one core to itself, and all else shares the other; without it, only the
                    generator of the load keeps to one core
  --only A,B        of sqlite, postgres`,
);

const [keys, days, rate, rounds, seconds] = [values.keys, values.days, values.rate, values.rounds, values.seconds].map(
  Number,
) as [number, number, number, number, number];

const GATEWAY = join(import.meta.dirname, 'history/reporting-gateway.ts');

/** For longer than one load takes. */
const BUSY_LOOP = 'for (const end = Date.now() + 600_000; Date.now() < end; );';

type Phase = 'at rest' | 'beside a busy loop' | 'during reports';
const PHASES: readonly Phase[] = ['at rest', 'beside a busy loop', 'during reports'];

await withLab(values, async (lab) => {
  // Whatever is started from now on.
  if (values.apart) await moveThread(process.pid, lab.otherCore);
  const rows: string[][] = [];
  for (const kind of values.only.split(',')) rows.push(...(await measure(lab, kind)));
  print(markdown(['latency, ms', 'p50', 'p99', 'p99.9'], rows));
});

async function measure(lab: Lab, kind: string): Promise<string[][]> {
  const size = { spread: 'skewed', keys, days, busy: 40, now: Date.now() } as const;
  const database = await (kind === 'sqlite' ? filledSqlite(size) : filledPostgres(size));
  progress(`${kind}: ${database.megabytes.toFixed(0)} MB, ${JSON.stringify(database.filled.counts)}`);
  // The demo key must not be refused.
  const plans = join(lab.folder('plans'), 'plans.yaml');
  writeFileSync(plans, 'plans:\n  - { id: free, name: Free, limits: { minute: 100000000, day: 100000000 } }\n');
  const gateway = fork(GATEWAY, [JSON.stringify(database.settings), plans]);
  const found = new Map<Phase, LoadReport[]>(PHASES.map((phase) => [phase, []]));
  try {
    const { url, key } = await heard(gateway, 'ready');
    if (values.apart) await moveThread(gateway.pid as number, lab.core);
    for (let round = 0; round <= rounds; round++) {
      // Every other time in the other order: what reports leave behind must not always fall to the same phase.
      for (const phase of round % 2 === 1 ? PHASES.toReversed() : PHASES) {
        const load = { connections: 16, perSecond: rate, warmUpSeconds: 1, seconds, seed: round };
        const request = { url: `${url}/pets?limit=1`, headers: { 'X-API-Key': key }, status: 200 };
        const report = await during(phase, gateway, () => applyOpenLoad(lab, { ...request, ...load }));
        progress(
          `${phase.padEnd(20)}${[report.p50, report.p99, report.p999].map((ms) => ms.toFixed(2)).join(' / ')} ms`,
        );
        // The first only warms up.
        if (round > 0) found.get(phase)!.push(report);
      }
    }
    return PHASES.map((phase) => row(`${kind}: ${phase}`, found.get(phase)!));
  } finally {
    tell(gateway, 'exit');
    await once(gateway, 'exit');
    await database.dispose();
  }
}

async function during<T>(phase: Phase, gateway: ChildProcess, work: () => Promise<T>): Promise<T> {
  if (phase === 'at rest') return work();
  if (phase === 'beside a busy loop') {
    const busy = spawn(process.execPath, ['--eval', BUSY_LOOP]);
    const ended = once(busy, 'exit');
    try {
      return await work();
    } finally {
      busy.kill();
      await ended;
    }
  }
  tell(gateway, 'report');
  const result = await work();
  tell(gateway, 'stop');
  const { done, failed } = await heard(gateway, 'reported');
  progress(`${done} reports, and ${failed} that took too long`);
  return result;
}

/** @param tid of a process: its main thread */
async function moveThread(tid: number, core: number): Promise<void> {
  await output('taskset', ['-cp', String(core), String(tid)]);
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

function row(title: string, reports: readonly LoadReport[]): string[] {
  const figure = (of: 'p50' | 'p99' | 'p999') => {
    const all = reports.map((report) => report[of]);
    return `${median(all).toFixed(2)} (${spread(all, 2)})`;
  };
  return [title, figure('p50'), figure('p99'), figure('p999')];
}
