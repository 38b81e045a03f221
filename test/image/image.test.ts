/** The image that `npm run test:image` has just built: what it contains, and how it starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROBED_GATEWAY, readRunningVersion } from '../../scripts/release/running-version.ts';
import { root } from '../support/gateway/gateway.ts';
import { runProgram } from '../support/gateway/process.ts';
import { runCommand, tryCommand } from '../support/image/commands.ts';

const IMAGE = 'tollgate-test';
const PREFIX = 'org.opencontainers.image.';
/**
 * The container runs as in the compose file and the manifests: its root file system is read-only, and all capabilities
 * are dropped.
 */
const RUN = ['docker', 'run', '--rm', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

async function inspectImage(): Promise<{ Size: number; Config: ImageConfig }> {
  const [image] = JSON.parse(await runCommand(['docker', 'image', 'inspect', IMAGE])) as [
    { Size: number; Config: ImageConfig },
  ];
  return image;
}

/** Runs a command in a new container. */
function runInImage(...command: string[]): Promise<string> {
  return runCommand([...RUN, IMAGE, ...command]);
}

test('the image has a numeric user and the labels of the Open Container Initiative', async () => {
  const { Config: config } = await inspectImage();
  expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const label = (name: string) => config.Labels[PREFIX + name];
  expect(label('title')).toBe('Tollgate');
  expect(label('description')).toMatch(/API gateway/);
  expect(label('licenses')).toBe('MIT');
  expect(label('revision')).toMatch(/^(?:[0-9a-f]{40}|unknown)$/);
  expect(new Date(label('created') ?? '').getTime()).toBeLessThanOrEqual(Date.now());
});

test('the label, the command line and the admin API name the version of the package', async () => {
  const { Config: config } = await inspectImage();
  expect(config.Labels[`${PREFIX}version`]).toBe(version);
  expect(await runInImage('tollgate', '--version')).toBe(`${version}\n`);
  const settings = Object.entries(PROBED_GATEWAY).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const command = [...RUN, '--network', 'host', ...settings, IMAGE];
  expect(await readRunningVersion(command, process.env)).toBe(version);
});

test('the image has no package manager of Node, no compiler and no interpreter for build scripts', async () => {
  const programs = [
    'npm',
    'npx',
    'corepack',
    'yarn',
    'pnpm',
    'gcc',
    'g++',
    'cc',
    'ld',
    'make',
    'python',
    'python3',
    'git',
  ];
  const found = await runInImage('sh', '-c', `for each in ${programs.join(' ')}; do command -v $each || true; done`);
  expect(found).toBe('');
  expect(await runInImage('sh', '-c', 'ls /usr/local/lib/node_modules /opt 2>/dev/null || true')).not.toMatch(/npm/);
});

test('the packages of the image have their code and licenses, without source maps and type declarations', async () => {
  const files = "find /app/node_modules -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts'";
  expect(await runInImage('sh', '-c', files)).toBe('');
  expect(await runInImage('ls', '/app/node_modules')).not.toMatch(/^(?:typescript|jest|vite|node-linux-.*)$/m);
});

test('the SBOM of the image lists its packages', async () => {
  const sbom = JSON.parse(await runInImage('cat', '/app/tollgate.cdx.json')) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; version: string }[];
  };
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'tollgate', version } } });
  const { packages } = JSON.parse(await runInImage('cat', '/app/node_modules/.package-lock.json')) as {
    packages: Record<string, { version: string }>;
  };
  const listed = new Set(sbom.components.map((each) => `${each.name}@${each.version}`));
  const installed = Object.entries(packages).map(
    ([path, each]) => `${path.replace(/.*node_modules\//, '')}@${each.version}`,
  );
  expect(installed.filter((each) => !listed.has(each))).toEqual([]);
});

test('started without any configuration on a read-only root, the image prints what to do next, and that works', async () => {
  const name = 'tollgate-image-test';
  await tryCommand(['docker', 'rm', '--force', name]);
  const env = { DOCKER_HOST: process.env['DOCKER_HOST'] };
  const [, ...args] = [...RUN, '--name', name, IMAGE];
  const gateway = runProgram('docker', args, env);
  try {
    await gateway.waitForOutput(/"msg":"listening"/);
    const [, create = ''] = await gateway.waitForOutput(/^ {2}tollgate (keys create .*)$/m);
    const made = await runCommand(['docker', 'exec', name, 'tollgate', ...create.split(' ')]);
    const [key = ''] = /tg_live_\w+/.exec(made) ?? [];
    const [, url = ''] = await gateway.waitForOutput(/curl -i -H 'X-API-Key: KEY' (\S+)/);
    const call = `fetch('${url}', { headers: { 'X-API-Key': '${key}' } }).then((response) => console.log(response.status))`;
    expect(await runCommand(['docker', 'exec', name, 'node', '--eval', call])).toBe('200\n');
    expect(gateway.output()).not.toMatch(/^\s+at /m);
  } finally {
    await runCommand(['docker', 'stop', '--time', '20', name]);
  }
  expect(await gateway.ended()).toBe(0);
});
