import { join } from 'node:path';
import type { Lab } from '../lab.ts';
import { output } from '../process.ts';
import type { LoadPlan, LoadReport } from './run-load.ts';

export interface OpenLoad extends Omit<LoadPlan, 'port' | 'request'> {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Runs the generator on the other core, as a process of its own.
 *
 * It never sleeps, and Redis and the upstream share its core: at an ordinary priority it would make them wait for the
 * rest of its time slice, which is milliseconds. At the lowest one they run as soon as they have work. It keeps the core
 * awake by itself, so the lab's spinner pauses: at the same priority it would take half of the time.
 *
 * @throws if an answer was not what it should be, or was still missing seconds after the load
 */
export async function applyOpenLoad(lab: Lab, { url, headers, ...load }: OpenLoad): Promise<LoadReport> {
  const { host, port, pathname } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const plan: LoadPlan = { ...load, port: Number(port), request: `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n` };
  const generator = [process.execPath, join(import.meta.dirname, 'generator.ts'), JSON.stringify(plan)];
  lab.spinner.signal('SIGSTOP');
  let report: LoadReport;
  try {
    const said = await output('taskset', ['-c', String(lab.otherCore), 'nice', '-n', '19', ...generator]);
    report = JSON.parse(said) as LoadReport;
  } finally {
    lab.spinner.signal('SIGCONT');
  }
  const { answers, wrongStatus, unanswered } = report;
  if (wrongStatus > 0) throw new Error(`${wrongStatus} of ${answers} answers did not have the status ${load.status}`);
  if (unanswered > 0) throw new Error(`${unanswered} requests got no answer`);
  return report;
}
