import { join } from 'node:path';
import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { output } from '../lab/process.ts';
import { progress } from '../lab/session.ts';
import { median } from '../measure.ts';
import { markdown, spread, verdict } from '../table.ts';

interface Kind {
  readonly title: string;
  readonly goalMs: number;
  /** Starts the program once and returns the time that it took, in ms. */
  readonly once: () => Promise<number>;
}

/**
 * Measures how long starting takes, on one core, with the compiled code of an earlier start. Returns a Markdown table.
 */
export async function startUp(lab: Lab, starts: number): Promise<string> {
  const kinds: Kind[] = [
    { title: 'ready, embedded store, pet store in process', goalMs: 500, once: () => ready(lab, 'embedded') },
    { title: 'ready, Redis, HTTP upstream', goalMs: 500, once: () => ready(lab, 'redis') },
    { title: '`tollgate --help`, without npx', goalMs: 150, once: () => help(lab) },
  ];
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  // The first start of each kind compiles the code and keeps it.
  for (const { once } of kinds) await once();
  for (let start = 1; start <= starts; start++) {
    for (const kind of kinds) times.get(kind)?.push(await kind.once());
    progress(`start ${start}/${starts}: ${kinds.map((kind) => times.get(kind)?.at(-1)?.toFixed(0)).join(' ')} ms`);
  }
  const rows = [...times].map(([{ title, goalMs }, all]) => {
    const found = median(all);
    return [title, `≤ ${goalMs}`, `${found.toFixed(0)} (${spread(all, 0)})`, verdict(found, goalMs)];
  });
  return `${markdown(['start-up, ms', 'goal', 'measured', ''], rows)}\n`;
}

/** Measures the time from the start of the process until it accepts connections. */
async function ready(lab: Lab, store: 'embedded' | 'redis'): Promise<number> {
  const gateway = await startGateway(lab, { store, upstream: store === 'redis' ? 'http' : 'in-process' });
  await gateway.program.stop(15_000);
  return gateway.startMs;
}

async function help(lab: Lab): Promise<number> {
  const script = join(lab.gatewayFolder, 'bin/tollgate.js');
  const startedAt = performance.now();
  await output('taskset', ['-c', String(lab.core), process.execPath, script, '--help']);
  return performance.now() - startedAt;
}
