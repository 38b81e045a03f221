import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../temporary.ts';
import { contractDocument } from './plugged.ts';
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

/** Starts a gateway by a command in the project's folder, such as `npm start`, before the contract service. */
export async function startByCommand(command: readonly string[], serviceUrl: string): Promise<StartedGateway> {
  const folder = writeContractConfig(serviceUrl);
  const [program = '', ...args] = command;
  const running = runProgram(program, args, {
    TOLLGATE_CONFIG: join(folder, 'gateway.yaml'),
    TOLLGATE_DATA_DIR: folder,
    ...FREE_PORTS,
  });
  const [, pid = ''] = await running.said(/"pid":(\d+)/);
  // The gateway itself: npx does not pass signals on.
  return startedGateway(running, () => process.kill(Number(pid), 'SIGTERM'));
}

/** Starts a container of an image before the contract service. It shares this machine's network. */
export async function startContainer(image: string, serviceUrl: string): Promise<StartedGateway> {
  const folder = writeContractConfig(serviceUrl);
  // The container's user is another one.
  chmodSync(folder, 0o755);
  const env = {
    TOLLGATE_CONFIG: '/config/gateway.yaml',
    // The demo key is only made where it cannot be used from elsewhere.
    TOLLGATE_HOST: '127.0.0.1',
    TOLLGATE_ADMIN_HOST: '127.0.0.1',
    TOLLGATE_PORTAL_HOST: '127.0.0.1',
    ...FREE_PORTS,
  };
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const args = ['run', '--rm', '--network', 'host', '--volume', `${folder}:/config:ro`, ...settings, image];
  const running = runProgram('docker', args, { DOCKER_HOST: process.env['DOCKER_HOST'] });
  return startedGateway(running, () => running.child.kill('SIGTERM'));
}

const FREE_PORTS = { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' };

/** A folder with the configuration of a gateway before the contract service. */
function writeContractConfig(serviceUrl: string): string {
  const folder = temporaryDirectory();
  const limits = { minute: 1_000_000, day: 1_000_000 };
  const settings = {
    demo: true,
    plans: 'plans.yaml',
    upstreams: [{ name: 'contract', openapi: 'contract.openapi.yaml', targets: [serviceUrl] }],
    edge: { headersTimeout: '1s', requestTimeout: '2s' },
    drain: { deadline: '50ms' },
  };
  copyFileSync(contractDocument, join(folder, 'contract.openapi.yaml'));
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans: [{ id: 'free', name: 'Free', limits }] }));
  writeFileSync(join(folder, 'gateway.yaml'), stringify(settings));
  return folder;
}

/** Waits until it listens. */
async function startedGateway(running: Running, stop: () => void): Promise<StartedGateway> {
  const [, url = ''] = await running.said(/"publicUrl":"([^"]+)"/);
  const [, key = ''] = await running.said(/X-API-Key: (\w+)/);
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
      stop();
      await running.ended();
    },
  };
}
