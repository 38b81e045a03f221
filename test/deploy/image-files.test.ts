/**
 * The image once did not build although all tests passed, because the pages imported a file that their stage of the
 * Dockerfile did not copy. So this test imitates each stage without a container engine. It fills an empty folder with
 * exactly the files that the stage copies, and runs the commands of the stage there. `npm run test:image` builds the
 * real image.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { copyAsDocker, readStages, type Instruction } from '../support/image/dockerfile.ts';
import { root } from '../support/gateway/gateway.ts';
import { runProgram } from '../support/gateway/process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const stages = new Map<string, LaidOutStage>();

beforeAll(() => {
  for (const { name, instructions } of readStages(join(root, 'Dockerfile'))) {
    const stage = new LaidOutStage(temporaryDirectory());
    stages.set(name, stage);
    for (const each of instructions) stage.follow(each);
  }
});

/** A folder that imitates the working folder of a stage, which is `/app` in the image. */
class LaidOutStage {
  readonly folder: string;
  readonly env: Record<string, string> = {};

  constructor(folder: string) {
    this.folder = folder;
  }

  follow({ name, rest }: Instruction): void {
    if (name === 'ENV') Object.assign(this.env, parseEnv(rest.replaceAll('/app/', `${this.folder}/`)));
    else if (name === 'COPY') this.#copy(rest);
    else if (name === 'RUN') for (const command of rest.split(/\s*&&\s*/)) this.#run(command);
  }

  #copy(rest: string): void {
    const [, from] = /^--from=(\S+) /.exec(rest) ?? [];
    if (from === undefined) return copyAsDocker(rest, root, this.folder);
    const stage = stages.get(from);
    if (stage === undefined) throw new Error(`COPY --from=${from}: no such stage`);
    // Only `/app` exists here, so files for other folders are not copied.
    const isOfApp = rest.split(' ').every((word) => !word.startsWith('/') || /^\/app(?:\/|$)/.test(word));
    if (isOfApp) copyAsDocker(rest.replaceAll(/ \/app\/?/g, ' ./'), stage.folder, this.folder);
  }

  #run(command: string): void {
    if (command.startsWith('npm ci')) linkPackages(this.folder, !command.includes('--omit=dev'));
    // Commands for the rest of the container are skipped: its packages, users and other folders do not exist here. The
    // installed packages are those of the checkout, so nothing may delete them.
    else if (!/^(?:npm|apt-get|chown|find) | \//.test(command)) {
      execFileSync('sh', ['-c', command], { cwd: this.folder, env: { ...this.env, PATH: nodePath() }, stdio: 'pipe' });
    }
  }
}

/** A `PATH` that begins with the Node which runs this test. */
function nodePath(): string {
  return `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
}

function parseEnv(rest: string): Record<string, string> {
  return Object.fromEntries(
    rest
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(/=(.*)/).slice(0, 2) as [string, string]),
  );
}

/** Links the packages that `npm ci` would install, so that a stage sees only those. */
function linkPackages(folder: string, isWithDevelopment: boolean): void {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  mkdirSync(join(folder, 'node_modules'));
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    const isLeftOut = !isWithDevelopment && (dev === true || optional === true || devOptional === true);
    if (!isTop || isLeftOut || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}

function finalStage(): LaidOutStage {
  return [...stages.values()].at(-1)!;
}

test('the gateway starts with only the files of the image, and serves the pages built there', async () => {
  const { folder, env } = finalStage();
  const [, command = '[]'] = /^CMD (.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const [program = '', ...args] = JSON.parse(command.replace('/app/', `${folder}/`)) as string[];
  const gateway = runProgram(
    program,
    args,
    {
      ...env,
      PATH: nodePath(),
      TOLLGATE_HOST: '127.0.0.1',
      TOLLGATE_ADMIN_HOST: '127.0.0.1',
      TOLLGATE_PORTAL_HOST: '127.0.0.1',
      TOLLGATE_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_PORTAL_PORT: '0',
      TOLLGATE_DATA_DIR: join(folder, 'data'),
    },
    folder,
  );
  const [, adminUrl = '', portalUrl = ''] = await gateway.waitForOutput(/"adminUrl":"([^"]+)".*"portalUrl":"([^"]+)"/);
  for (const url of [`${adminUrl}/console/`, `${portalUrl}/`]) {
    const response = await fetch(url);
    expect([url, response.status, response.headers.get('content-type')]).toEqual([
      url,
      200,
      expect.stringMatching(/html/),
    ]);
    await response.text();
  }
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
});

test('the image and the compose file use the same configuration', async () => {
  const { folder, env } = finalStage();
  const check = runProgram(
    'node',
    ['bin/tollgate.js', 'config', 'check'],
    { ...env, PATH: nodePath(), TOLLGATE_CONFIG: join(folder, 'deploy/gateway.yaml') },
    folder,
  );
  expect([await check.ended(), check.output()]).toEqual([0, expect.stringMatching(/deploy\/gateway\.yaml/)]);
});

test('the image of the load balancer has its configuration', () => {
  const [stage] = readStages(join(root, 'deploy/balancer.Dockerfile'));
  const folder = temporaryDirectory();
  for (const { name, rest } of stage?.instructions ?? []) {
    if (name === 'COPY') copyAsDocker(rest, join(root, 'deploy'), folder);
  }
  expect(existsSync(join(folder, 'usr/local/etc/haproxy/haproxy.cfg'))).toBe(true);
});
