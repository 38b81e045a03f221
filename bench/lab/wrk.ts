import { join } from 'node:path';
import { runCommand } from './process.ts';
import type { Rotation } from './rotation.ts';

/** Requests that differ from each other, or have a body. */
export type Requests =
  | { readonly rotation: Rotation }
  /** A file with one path per line. The paths are requested in turn. */
  | { readonly pathFile: string }
  | { readonly postedBytes: number };

interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  readonly core: number;
  readonly requests?: Requests | undefined;
}

/** Latencies in ms. */
export interface Report {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses with a status of 400 or more. */
  readonly refused: number;
  /** Requests without a response. */
  readonly broken: number;
}

const toScriptPath = (name: string) => join(import.meta.dirname, `${name}.lua`);

function chooseScript(requests: Requests | undefined): { name: string; env: Record<string, string> } {
  if (requests === undefined) return { name: 'report', env: {} };
  if ('pathFile' in requests) return { name: 'paths', env: { PATHS: requests.pathFile } };
  if ('postedBytes' in requests) return { name: 'post', env: { BYTES: String(requests.postedBytes) } };
  const { file, count, from } = requests.rotation;
  return { name: 'rotate', env: { KEYS: file, COUNT: String(count), FROM: String(from) } };
}

export async function runWrk({ url, headers, seconds, connections, core, requests }: Load): Promise<Report> {
  const { name, env } = chooseScript(requests);
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
    toScriptPath(name),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ];
  const outputText = await runCommand('taskset', args, { REPORT: toScriptPath('report'), ...env });
  const line = /^REPORT (.*)$/m.exec(outputText)?.[1];
  if (line === undefined) throw new Error(`wrk made no report: ${outputText}`);
  const report = JSON.parse(line) as Report;
  // The report does not include requests that were in progress at the end, so add one per connection.
  if (requests !== undefined && 'rotation' in requests) requests.rotation.advance(report.requests + connections);
  return report;
}
