import { join } from 'node:path';
import { output } from './process.ts';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  readonly core: number;
  /** Keys to use in turn, in place of the one in the headers: a file with a line each. */
  readonly keyFile?: string | undefined;
}

/** Latencies in ms. */
export interface Report {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers with a status of 400 or more. */
  readonly refused: number;
  /** Requests that got none. */
  readonly broken: number;
}

const script = (name: string) => join(import.meta.dirname, `${name}.lua`);

export async function wrk({ url, headers, seconds, connections, core, keyFile }: Load): Promise<Report> {
  const args = [
    '-c',
    String(core),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '5s',
    '-s',
    script(keyFile === undefined ? 'report' : 'rotate'),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ];
  const said = await output('taskset', args, { REPORT: script('report'), KEYS: keyFile ?? '' });
  const line = /^REPORT (.*)$/m.exec(said)?.[1];
  if (line === undefined) throw new Error(`wrk made no report: ${said}`);
  return JSON.parse(line) as Report;
}
