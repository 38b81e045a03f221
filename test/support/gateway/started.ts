import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../temporary.ts';
import { contractDocument } from './gateway-with-upstreams.ts';
import { runProgram, type RunningProgram } from './process.ts';

/** A gateway that was started in the same way as users start it. */
export interface StartedGateway {
  readonly url: string;
  /** The secret of a practically unlimited key. */
  readonly key: string;
  /** The parsed log lines of responses. */
  responses(): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Starts a gateway in front of the contract service with a command, such as `npm start`, in the project's folder. */
export async function startByCommand(command: readonly string[], serviceUrl: string): Promise<StartedGateway> {
  const folder = writeContractConfig(serviceUrl);
  const [program = '', ...args] = command;
  const running = runProgram(program, args, {
    TOLLGATE_CONFIG: join(folder, 'gateway.yaml'),
    TOLLGATE_DATA_DIR: folder,
    ...FREE_PORTS,
  });
  const [, pid = ''] = await running.waitForOutput(/"pid":(\d+)/);
  // Signal the gateway itself, because npx does not forward signals.
  return startedGateway(running, () => process.kill(Number(pid), 'SIGTERM'));
}

/**
 * Starts a container in front of the contract service. The container uses the host's network.
 *
 * @param container arguments of `docker run`: further options, the image, and a command if it is not the image's own
 */
export async function startContainer(container: readonly string[], serviceUrl: string): Promise<StartedGateway> {
  const folder = writeContractConfig(serviceUrl);
  // The container runs as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  const env = {
    TOLLGATE_CONFIG: '/config/gateway.yaml',
    // The demo key is created only if all listeners are on loopback.
    TOLLGATE_HOST: '127.0.0.1',
    TOLLGATE_ADMIN_HOST: '127.0.0.1',
    TOLLGATE_PORTAL_HOST: '127.0.0.1',
    ...FREE_PORTS,
  };
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const args = ['run', '--rm', '--network', 'host', '--volume', `${folder}:/config:ro`, ...settings, ...container];
  const running = runProgram('docker', args, { DOCKER_HOST: process.env['DOCKER_HOST'] });
  return startedGateway(running, () => running.child.kill('SIGTERM'));
}

const FREE_PORTS = { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' };

/**
 * Writes the configuration of a gateway in front of the contract service.
 *
 * @returns the folder of the configuration
 */
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

/** Waits until the gateway listens. */
async function startedGateway(running: RunningProgram, stop: () => void): Promise<StartedGateway> {
  const [, url = ''] = await running.waitForOutput(/"publicUrl":"([^"]+)"/);
  const [, key = ''] = await running.waitForOutput(/X-API-Key: (\w+)/);
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
