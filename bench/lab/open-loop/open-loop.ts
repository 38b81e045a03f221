import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { output } from '../process.ts';
import type { LoadPlan, LoadReport } from './run-load.ts';

export interface OpenLoad extends Omit<LoadPlan, 'port' | 'request'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the generator, as `nice` takes it: 19 is the lowest priority. */
  readonly niceness: number;
}

/** By how much the generator may be late, at its 99th percentile, in ms: above, other work has its core. */
const MAX_LATE_MS = 1;

/**
 * Runs the generator on the other core, as a process of its own.
 *
 * It never sleeps, and Redis and the upstream share its core: at an ordinary priority it would make them wait for the
 * rest of its time slice, which is milliseconds. At the lowest one they run as soon as they have work. It keeps the core
 * awake by itself, so the lab's spinner pauses: at the same priority it would take half of the time.
 *
 * @throws if an answer was not what it should be, was still missing seconds after the load, or if the generator was
 *   late: then the figures would be those of the machine
 */
export async function applyOpenLoad(lab: Lab, { url, headers, niceness, ...load }: OpenLoad): Promise<LoadReport> {
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const plan: LoadPlan = { ...load, port: Number(port), request: `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n` };
  const generator = [process.execPath, join(import.meta.dirname, 'generator.ts'), JSON.stringify(plan)];
  lab.spinner.signal('SIGSTOP');
  let report: LoadReport;
  try {
    const said = await output('taskset', ['-c', String(lab.otherCore), 'nice', '-n', String(niceness), ...generator]);
    report = JSON.parse(said) as LoadReport;
  } finally {
    lab.spinner.signal('SIGCONT');
  }
  const { answers, wrongStatus, unanswered, lateP99 } = report;
  if (wrongStatus > 0) throw new Error(`${wrongStatus} of ${answers} answers did not have the status ${load.status}`);
  if (unanswered > 0) throw new Error(`${unanswered} requests got no answer`);
  if (lateP99 > MAX_LATE_MS) throw new Error(`the generator was late by ${lateP99.toFixed(1)} ms`);
  return report;
}
