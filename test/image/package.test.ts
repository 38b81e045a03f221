/**
 * Installs the npm package on a machine that has only npm and the oldest Node that the package allows. The machine is a
 * container of Node's image in which Node is replaced. What is installed stays in a folder of this machine.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makePackage } from '../../scripts/package/pack.ts';
import { refusesMalformedRequests } from '../data-plane/edge/refusals.contract.ts';
import { runProgram } from '../support/gateway/process.ts';
import { startContainer } from '../support/gateway/started.ts';
import { runCommand, tryCommand } from '../support/image/commands.ts';
import { downloadNodes } from '../support/node-versions.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const INSTALL_MS = 600_000;
const TOLLGATE = '/home/me/node_modules/.bin/tollgate';

const folder = temporaryDirectory();
const home = join(folder, 'home');
const NODE = `${join(folder, 'node24/node')}:/usr/local/bin/node:ro`;
const USER = `${process.getuid?.()}:${process.getgid?.()}`;
const SETTINGS = ['--env', 'HOME=/home/me', '--env', 'TOLLGATE_DATA_DIR=/tmp/tollgate'];
const VOLUMES = ['--volume', NODE, '--volume', `${home}:/home/me`];
const MACHINE = ['--init', '--user', USER, ...SETTINGS, ...VOLUMES, '--workdir', '/home/me', 'node:26-slim'];

function run(...command: string[]): Promise<string> {
  return runCommand(['docker', 'run', '--rm', '--network', 'host', ...MACHINE, ...command]);
}

beforeAll(async () => {
  mkdirSync(home);
  await downloadNodes(folder);
  copyFileSync(makePackage(join(folder, 'package'), folder), join(home, 'tollgate.tgz'));
  expect(await run('node', '--version')).toMatch(/^v24\./);
  await run('npm', 'install', '--no-audit', '--no-fund', './tollgate.tgz');
}, INSTALL_MS);

test('the package is installed, initialized and started, and serves a call with a new key', async () => {
  expect(await run(TOLLGATE, 'init')).toContain('\n  tollgate start\n');
  const name = 'tollgate-package-test';
  await tryCommand(['docker', 'rm', '--force', name]);
  const ports = ['TOLLGATE_PORT=0', 'TOLLGATE_ADMIN_PORT=0', 'TOLLGATE_PORTAL_PORT=0'];
  const settings = ports.flatMap((each) => ['--env', each]);
  const args = ['run', '--rm', '--network', 'host', '--name', name, ...settings, ...MACHINE, TOLLGATE, 'start'];
  const gateway = runProgram('docker', args, { DOCKER_HOST: process.env['DOCKER_HOST'] });
  try {
    const [line] = await gateway.waitForOutput(/^.*"msg":"listening".*$/m);
    const { publicUrl, adminUrl } = JSON.parse(line) as { publicUrl: string; adminUrl: string };
    const inside = ['docker', 'exec', '--env', `TOLLGATE_ADMIN_URL=${adminUrl}`, name, TOLLGATE];
    const made = await runCommand([...inside, 'keys', 'create', '--owner', 'me', '--name', 'First', '--plan', 'free']);
    const [key = ''] = /tg_live_\w+/.exec(made) ?? [];
    const response = await fetch(`${publicUrl}/pets`, { headers: { 'X-API-Key': key } });
    expect([response.status, response.headers.get('X-RateLimit-Limit')]).toEqual([200, '60']);
    await response.arrayBuffer();
  } finally {
    await runCommand(['docker', 'stop', '--time', '20', name]);
  }
  expect(await gateway.ended()).toBe(0);
});

describe('the edge', () => {
  refusesMalformedRequests((serviceUrl) => startContainer([...MACHINE, TOLLGATE, 'start'], serviceUrl));
});
