import { join } from 'node:path';
import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { runCommand } from '../lab/process.ts';
import { printProgress } from '../lab/session.ts';
import { median } from '../measure.ts';
import { formatTable, formatSpread, formatVerdict } from '../table.ts';

interface Kind {
  readonly title: string;
  readonly goalMs: number;
  /** Starts the program once and returns the time that it took, in ms. */
  readonly measureOnce: () => Promise<number>;
}

/**
 * Measures how long starting takes, on one core, with the compiled code of an earlier start. Returns a Markdown table.
 */
export async function measureStartUp(lab: Lab, starts: number): Promise<string> {
  const kinds: Kind[] = [
    {
      title: 'ready, embedded store, pet store in process',
      goalMs: 500,
      measureOnce: () => measureReady(lab, 'embedded'),
    },
    { title: 'ready, Redis, HTTP upstream', goalMs: 500, measureOnce: () => measureReady(lab, 'redis') },
    { title: '`tollgate --help`, without npx', goalMs: 150, measureOnce: () => measureHelp(lab) },
  ];
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  // The first start of each kind compiles the code and keeps it.
  for (const { measureOnce: once } of kinds) await once();
  for (let start = 1; start <= starts; start++) {
    for (const kind of kinds) times.get(kind)?.push(await kind.measureOnce());
    printProgress(`start ${start}/${starts}: ${kinds.map((kind) => times.get(kind)?.at(-1)?.toFixed(0)).join(' ')} ms`);
  }
  const rows = [...times].map(([{ title, goalMs }, all]) => {
    const medianMs = median(all);
    return [title, `≤ ${goalMs}`, `${medianMs.toFixed(0)} (${formatSpread(all, 0)})`, formatVerdict(medianMs, goalMs)];
  });
  return `${formatTable(['start-up, ms', 'goal', 'measured', ''], rows)}\n`;
}

/** Measures the time from the start of the process until it accepts connections. */
async function measureReady(lab: Lab, store: 'embedded' | 'redis'): Promise<number> {
  const gateway = await startGateway(lab, { store, upstream: store === 'redis' ? 'http' : 'in-process' });
  await gateway.program.stop(15_000);
  return gateway.startMs;
}

async function measureHelp(lab: Lab): Promise<number> {
  const script = join(lab.gatewayFolder, 'bin/tollgate.js');
  const startedAt = performance.now();
  await runCommand('taskset', ['-c', String(lab.core), process.execPath, script, '--help']);
  return performance.now() - startedAt;
}
