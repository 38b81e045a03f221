import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { runCommand } from '../process.ts';
import type { LoadPlan, LoadReport } from './run-load.ts';

export interface OpenLoad extends Omit<LoadPlan, 'port' | 'request'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum 99th percentile of the generator's lateness, in ms. If it is exceeded, other work has used the core. */
const MAX_LATE_MS = 1;

/**
 * Runs the generator on the other core, as a separate process.
 *
 * Redis and the upstream share that core. With given arrivals, the generator naps between them, and has priority when
 * it wakes. In a closed loop, it never sleeps, so that microseconds can be measured. It then has the lowest priority,
 * because Redis would otherwise wait for the rest of the generator's time slice. It also keeps the core awake, so the
 * lab's spinner pauses.
 *
 * @throws if a response had the wrong status, if a response was still missing seconds after the load, or if the
 *   generator was late. In these cases, the results would say nothing about the contender
 */
export async function applyOpenLoad(lab: Lab, { url, headers, ...load }: OpenLoad): Promise<LoadReport> {
  const naps = load.perSecond !== null;
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const plan: LoadPlan = { ...load, port: Number(port), request: `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n` };
  const generator = [process.execPath, join(import.meta.dirname, 'generator.ts'), JSON.stringify(plan)];
  if (!naps) lab.spinner.signal('SIGSTOP');
  let report: LoadReport;
  try {
    const outputText = await runCommand('taskset', [
      '-c',
      String(lab.otherCore),
      ...createPriorityCommand(naps),
      ...generator,
    ]);
    report = JSON.parse(outputText) as LoadReport;
  } finally {
    lab.spinner.signal('SIGCONT');
  }
  const { answers, wrongStatus, unanswered, lateP99 } = report;
  if (wrongStatus > 0) throw new Error(`${wrongStatus} of ${answers} answers did not have the status ${load.status}`);
  if (unanswered > 0) throw new Error(`${unanswered} requests got no answer`);
  if (lateP99 > MAX_LATE_MS) throw new Error(`the generator was late by ${lateP99.toFixed(1)} ms`);
  return report;
}

/**
 * Returns the command that sets the priority. Without root, the generator has the normal priority, and is sometimes
 * late by a time slice.
 */
function createPriorityCommand(naps: boolean): string[] {
  if (!naps) return ['nice', '-n', '19'];
  return process.getuid?.() === 0 ? ['chrt', '--rr', '1'] : [];
}
