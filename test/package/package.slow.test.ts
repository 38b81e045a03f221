/**
 * A user's way: npm installs the packed file in an empty folder, and the gateway runs there on the oldest Node that the
 * package allows, with nothing else on the PATH. npm downloads that Node, and one that is too old.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { makePackage } from '../../scripts/package/pack.ts';
import { refusesMalformedRequests } from '../data-plane/edge/refusals.contract.ts';
import { root } from '../support/gateway/gateway.ts';
import { type RunningProgram, runProgram } from '../support/gateway/process.ts';
import { startByCommand } from '../support/gateway/started.ts';
import { downloadNodes } from '../support/node-versions.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const execute = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const folder = temporaryDirectory();
/** Its name has what careless code does not quote. */
const installed = join(folder, "an émpty folder, Ann's");
const program = join(installed, 'node_modules/.bin/tollgate');
const files = join(installed, 'node_modules/tollgate');
const oldest = join(folder, 'node24/node');

beforeAll(async () => {
  mkdirSync(installed);
  const nodes = downloadNodes(folder);
  const file = makePackage(join(folder, 'package'), folder);
  await nodes;
  await npm('install', '--prefer-offline', '--no-audit', '--no-fund', '--omit=dev', file);
});

/** Runs npm on the oldest Node, in the folder of the installation. */
async function npm(...args: string[]): Promise<void> {
  const script =
    process.env['npm_execpath'] ??
    realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const env = { ...process.env, PATH: join(folder, 'node24') };
  await execute(oldest, [script, ...args], { cwd: installed, env });
}

/** Starts `tollgate …` in the folder of the installation. */
function startTollgate(args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
  return runProgram(program, args, { PATH: join(folder, 'node24'), ...env }, installed);
}

/** @returns the exit code and output of `tollgate …`, without a warning of Node 24.0 */
async function tollgate(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<readonly [number | string, string]> {
  const running = startTollgate(args, env);
  const code = await running.ended();
  return [code, running.output().replaceAll(/^\(.*(?:ExperimentalWarning|trace-warnings).*\n/gm, '')];
}

test('with Node 20, the command prints one sentence that names the required version', () => {
  const args = [[], ['--version'], ['start'], ['keys', 'list']];
  const sentence = /^tollgate: Node 24 or newer is required, and this is v20\.\d+\.\d+: install a newer Node\n$/;
  for (const each of args) {
    const { status, stdout, stderr } = spawnSync(program, each, {
      cwd: installed,
      env: { PATH: join(folder, 'node20') },
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) });
  }
});

test('tollgate prints its version, and without a configuration says how to create one', async () => {
  expect(await tollgate(['--version'])).toEqual([0, `${version}\n`]);
  const sentence =
    /gateway\.yaml: does not exist, .*: create it with "tollgate init", or name yours in TOLLGATE_CONFIG\n$/;
  expect(await tollgate(['start'])).toEqual([1, expect.stringMatching(sentence)]);
  // The entry point of `npm start` in a checkout.
  const main = runProgram(oldest, [join(files, 'src/main.js')], {}, installed);
  expect([await main.ended(), main.output()]).toEqual([1, expect.stringMatching(sentence)]);
});

describe('after tollgate init', () => {
  const ports = { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' };
  const document = join(installed, 'petstore.openapi.yaml');
  let gateway: RunningProgram;
  let publicUrl: string;
  let adminUrl: string;
  let portalUrl: string;

  beforeAll(async () => {
    expect(await tollgate(['init'])).toEqual([0, expect.stringContaining(`\n  tollgate start\n`)]);
    gateway = startTollgate(['start'], ports);
    const [line] = await gateway.waitForOutput(/^.*"msg":"listening".*$/m);
    ({ publicUrl, adminUrl, portalUrl } = JSON.parse(line) as Record<'publicUrl' | 'adminUrl' | 'portalUrl', string>);
  });
  afterAll(() => void gateway.child.kill('SIGKILL'));

  const command = (...args: string[]) => tollgate(args, { TOLLGATE_ADMIN_URL: adminUrl });

  /** Calls the gateway with a new key. */
  async function call(path: string): Promise<Response> {
    const [, output] = await command('keys', 'create', '--owner', 'me', '--name', 'First', '--plan', 'free');
    const [key = ''] = /tg_live_\w+/.exec(output) ?? [];
    return fetch(`${publicUrl}${path}`, { headers: { 'X-API-Key': key } });
  }

  test('a key is created, and a call with it is served', async () => {
    const response = await call('/pets');
    expect([response.status, await response.json()]).toEqual([200, expect.arrayContaining([expect.anything()])]);
    expect(response.headers.get('X-RateLimit-Limit')).toBe('60');
  });

  test('the admin API reports the version of the package', async () => {
    const [code, output] = await command('system', '--json');
    expect([code, JSON.parse(output)]).toMatchObject([0, { version }]);
  });

  test('the console and the portal are served', async () => {
    for (const url of [`${adminUrl}/console/`, `${portalUrl}/`]) {
      const response = await fetch(url);
      const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(await response.text()) ?? [];
      const code = await fetch(new URL(script, url));
      expect([url, code.status, code.headers.get('Content-Type')]).toEqual([
        url,
        200,
        expect.stringMatching(/javascript/),
      ]);
      await code.arrayBuffer();
    }
  });

  // Together with the thread of the history, which the start waits for, these are all threads.
  test('documents can be compared and a reload previewed and applied, each in its own thread', async () => {
    expect(
      globSync('src/**/*-worker.js', { cwd: files })
        .map((path) => basename(path))
        .toSorted(),
    ).toEqual(['comparison-worker.js', 'history-worker.js', 'openapi-worker.js', 'preview-worker.js']);
    const text = readFileSync(document, 'utf8');
    writeFileSync(join(installed, 'next.yaml'), text.replace('\n  /pets:\n', '\n  /animals:\n'));
    const diff = await command('documents', 'diff', 'petstore', 'next.yaml', '--fail-on', 'never');
    expect(diff).toEqual([0, expect.stringContaining('GET /animals')]);
    writeFileSync(document, text.replace(/^ {2}title: .*$/m, '  title: Another title'));
    expect(await command('config', 'preview')).toEqual([0, expect.stringContaining('upstream petstore (openapi)')]);
    expect(await command('config', 'reload')).toEqual([0, expect.stringContaining('upstream petstore (openapi)')]);
    const published = await call('/_gateway/openapi.json');
    expect(await published.json()).toMatchObject({ info: { title: 'Another title' } });
  });

  test('SIGTERM starts a drain', async () => {
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended()).toBe(0);
    expect(gateway.output()).toMatch(/"msg":"draining"\}\n.*"msg":"stopped"\}\n$/);
  });
});

// Loading an entry point runs it, so it is left out here. The tests above start each of them.
const ENTRY_POINTS = /\/(?:main|cli-main|\w+-worker)\.js$/;

test('every other file of the package can be loaded', () => {
  const paths = globSync('src/**/*.js', { cwd: files }).filter((path) => !ENTRY_POINTS.test(path));
  expect(paths.length).toBeGreaterThan(500);
  const text = `for (const path of ${JSON.stringify(paths)}) await import('./node_modules/tollgate/' + path);\n`;
  writeFileSync(join(installed, 'load.mjs'), `${text}console.log('loaded');\n`);
  const load = ['--disable-warning=ExperimentalWarning', 'load.mjs'];
  const { stdout, stderr } = spawnSync(oldest, load, { cwd: installed, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['loaded\n', '']);
});

test('a module in TypeScript can use the types of the values that it receives', () => {
  const types = join(folder, 'types');
  mkdirSync(join(types, 'node_modules/@types'), { recursive: true });
  symlinkSync(files, join(types, 'node_modules/tollgate'));
  writeFileSync(
    join(types, 'service.ts'),
    `import type { UpstreamModule } from 'tollgate';
export default {
  async create(options, { dataDir, logger, publish }) {
    const { id } = await publish('a.b', { dataDir }, { subject: 'x' });
    logger.info({ id }, 'published');
    return { handler: (req, res) => res.end(req.url) };
  },
} satisfies UpstreamModule;
// @ts-expect-error: a module must return a handler
({ create: () => ({}) }) satisfies UpstreamModule;
`,
  );
  symlinkSync(join(root, 'node_modules/@types/node'), join(types, 'node_modules/@types/node'));
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    types: ['node'],
    lib: ['esnext'],
  };
  const compilerOptions = { ...options, preserveSymlinks: true, skipLibCheck: true };
  writeFileSync(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['service.ts'] }));
  writeFileSync(join(types, 'package.json'), '{ "type": "module" }');
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--project', types];
  const { stdout, status } = spawnSync(process.execPath, tsc, { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});

describe('the edge', () => {
  refusesMalformedRequests((url) => startByCommand([oldest, join(files, 'bin/tollgate.js'), 'start'], url));
});
