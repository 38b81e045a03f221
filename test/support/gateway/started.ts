import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../temporary.ts';
import { contractTarget } from './plugged.ts';
import { runProgram, type Running } from './process.ts';

/** A gateway that was started the way users start it. */
export interface StartedGateway {
  readonly url: string;
  /** The secret of a key that is nearly without limits. */
  readonly key: string;
  /** The log lines of responses, parsed. */
  responses(): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A folder with the configuration of a gateway before the contract service. */
export function writeContractConfig(serviceUrl: string): string {
  const folder = temporaryDirectory();
  const limits = { minute: 1_000_000, day: 1_000_000 };
  const settings = {
    demo: true,
    plans: 'plans.yaml',
    upstreams: [contractTarget(serviceUrl)],
    edge: { headersTimeout: '1s', requestTimeout: '2s' },
    drain: { deadline: '50ms' },
  };
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans: [{ id: 'free', name: 'Free', limits }] }));
  writeFileSync(join(folder, 'gateway.yaml'), stringify(settings));
  return folder;
}

/** Starts a gateway by a command in the project's folder, such as `npm start`, before the contract service. */
export async function startByCommand(command: readonly string[], serviceUrl: string): Promise<StartedGateway> {
  const folder = writeContractConfig(serviceUrl);
  const [program = '', ...args] = command;
  const running = runProgram(program, args, {
    TOLLGATE_CONFIG: join(folder, 'gateway.yaml'),
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
  });
  return startedGateway(running);
}

/** Waits until it listens. */
export async function startedGateway(running: Running): Promise<StartedGateway> {
  const [, url = ''] = await running.said(/"publicUrl":"([^"]+)"/);
  const [, key = ''] = await running.said(/X-API-Key: (\w+)/);
  // npx does not pass signals on.
  const [, pid = ''] = await running.said(/"pid":(\d+)/);
  return {
    url,
    key,
    responses: () =>
      running
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'response'),
    async stop() {
      process.kill(Number(pid), 'SIGTERM');
      await running.ended();
    },
  };
}
