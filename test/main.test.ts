import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StartError } from '../src/base/error-types.ts';
import { runCommand } from './support/gateway/cli.ts';
import { root, startTestGateway, type TestGatewayOptions } from './support/gateway/gateway.ts';
import { run, runGateway } from './support/gateway/process.ts';
import { tempFolder } from './support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const CURL = /^ {2}(curl -i -H 'X-API-Key: (tg_live_\w{38})' (http:\S+))$/m;

const LINK = /^ {2}(http:\S+\/console\/)#token=(\S+)$/m;

describe('a first start', () => {
  let data: ReturnType<typeof tempFolder>;
  let gateway: Awaited<ReturnType<typeof runGateway>>;
  beforeAll(async () => {
    data = tempFolder();
    gateway = await runGateway(data.path);
  });
  afterAll(() => data.remove());

  test('prints a working curl command before it logs that it is listening', async () => {
    const [, line = '', key = ''] = await gateway.waitForOutput(CURL);
    expect(gateway.output().indexOf(line)).toBeLessThan(gateway.output().indexOf('"listening"'));
    const response = execFileSync('sh', ['-c', line.replace('curl', 'curl -s')], { encoding: 'utf8' });
    expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(response).toMatch(/\r\nX-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 59\r\nX-RateLimit-Reset: \d+\r\n/);
    expect(response).toContain('"name":"Rex"');
    // The printed key signs in to the portal at the printed address.
    const [, portal = ''] = await gateway.waitForOutput(
      /^Open the portal, and sign in with that key:\n\n {2}(http:\S+\/)$/m,
    );
    const headers = { 'Content-Type': 'application/json' };
    const signedIn = await fetch(`${portal}api/session`, { method: 'POST', headers, body: JSON.stringify({ key }) });
    expect(signedIn.status).toBe(201);
  });

  test('prints a link that signs in once', async () => {
    const [, page = '', token = ''] = await gateway.waitForOutput(LINK);
    expect(gateway.output()).toContain('the link signs in once, within 15 minutes');
    expect(page).toBe(`${gateway.adminUrl}/console/`);
    const signIn = () =>
      fetch(`${gateway.adminUrl}/v1/session`, {
        method: 'POST',
        headers: { Origin: gateway.adminUrl, 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    const first = await signIn();
    expect([first.status, await first.json()]).toMatchObject([201, { role: 'admin', session: { method: 'link' } }]);
    expect((await signIn()).status).toBe(401);
  });

  test('writes an admin token to a file that only the owner of the file can read', async () => {
    const file = join(data.path, 'admin-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const plans = await fetch(`${gateway.adminUrl}/v1/plans`, { headers: { authorization: `Bearer ${token}` } });
    expect(plans.status).toBe(200);
  });

  test('writes no secret to a log or file, and the next start prints none and keeps the counters', async () => {
    const [, , key = ''] = await gateway.waitForOutput(CURL);
    const [line = '', , linkToken = ''] = await gateway.waitForOutput(LINK);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended()).toBe(0);
    const adminToken = readFileSync(join(data.path, 'admin-token'), 'utf8').trim();
    expect(gateway.output()).not.toContain(adminToken);
    expect(gateway.output().replace(line, '')).not.toContain(linkToken);
    expect(gateway.output().split(key)).toHaveLength(2);
    for (const name of readdirSync(data.path)) {
      const text = readFileSync(join(data.path, name), 'latin1');
      expect(text.includes(key)).toBe(false);
      if (name !== 'admin-token') expect(text.includes(adminToken)).toBe(false);
    }

    const again = await runGateway(data.path);
    expect(again.output()).not.toMatch(CURL);
    expect(again.output()).not.toMatch(LINK);
    const usage = await fetch(`${again.publicUrl}/_gateway/usage`, { headers: { 'x-api-key': key } });
    expect(await usage.json()).toMatchObject({ windows: [{ used: 1 }, { used: 1 }] });
    again.child.kill('SIGTERM');
    expect(await again.ended()).toBe(0);
  });
});

// Databases once had mode 644, so every user of the machine could read key hashes, owners and the audit log.
test('databases and SQLite’s other files are readable only by their owner, even if an older version created them', async () => {
  const data = join(folder.path, 'data');
  const files = [
    'petstore.db',
    'petstore.db-wal',
    'counters.db',
    'counters.db-wal',
    'counters.db.lock',
    'tollgate.db',
    'tollgate.db-shm',
    'tollgate.db-wal',
    'tollgate.db.lock',
  ];
  const modes = () => files.map((name) => [name, (statSync(join(data, name)).mode & 0o777).toString(8)]);
  const wanted = files.map((name) => [name, '600']);
  const first = await runGateway(data);
  expect(modes()).toEqual(wanted);
  expect((statSync(data).mode & 0o777).toString(8)).toBe('700');
  first.child.kill('SIGKILL');
  await first.ended();

  for (const name of files) chmodSync(join(data, name), 0o644);
  const second = await startTestGateway({ dataDir: data });
  expect(modes()).toEqual(wanted);
  await second.stop();
});

describe('a failed start is explained in one line, with', () => {
  /** Checks what a program prints and its exit code. */
  async function expectRefusal(env: Record<string, string>, message: RegExp): Promise<void> {
    const gateway = run('src/main.ts', [], {
      TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
      TOLLGATE_DATA_DIR: folder.path,
      TOLLGATE_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_PORTAL_PORT: '0',
      ...env,
    });
    expect(await gateway.ended()).toBe(1);
    const lines = gateway
      .output()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(lines).toEqual([expect.stringMatching(message)]);
  }

  /** Checks the error of a start in this process, of which a program prints the message. */
  async function expectStartError(options: TestGatewayOptions, message: RegExp): Promise<void> {
    const error = await startTestGateway({ dataDir: folder.path, ...options }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).message).toMatch(message);
    expect((error as StartError).message).not.toContain('\n');
  }

  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    other.unref();
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const settings = { portal: { enabled: true } };
    for (const name of ['TOLLGATE_PORT', 'TOLLGATE_ADMIN_PORT', 'TOLLGATE_PORTAL_PORT']) {
      const message = new RegExp(`^127.0.0.1:${port} is in use by another process: stop it, or set ${name} `);
      await expectStartError({ settings, env: { [name]: String(port) } }, message);
    }
    other.close();
    // The failed starts must not have created a demo key, or this start would not create one.
    const gateway = await startTestGateway({ dataDir: folder.path });
    expect(gateway.demoKey).not.toBe('');
    await gateway.stop();
  });

  // A failed start once closed its upstreams before it printed the reason, and so sometimes never printed the reason.
  test('a port that is in use, with an upstream that never closes and leaves a timer running', async () => {
    const module = join(folder.path, 'endless.js');
    const create = '{ setInterval(() => {}, 1000); return { handler() {}, close: () => new Promise(() => {}) }; }';
    writeFileSync(module, `export default { create: () => ${create} };`);
    const config = join(folder.path, 'gateway.yaml');
    writeFileSync(
      config,
      `plans: ${root}/config/plans.yaml\ndrain: { deadline: 100ms }\n` +
        `upstreams: [{ name: a, openapi: ${root}/config/petstore.openapi.yaml, module: ${module} }]\n`,
    );
    const other = createServer().listen(0, '127.0.0.1');
    other.unref();
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    await expectRefusal({ TOLLGATE_CONFIG: config, TOLLGATE_PORT: String(port) }, /is in use by another process/);
    other.close();
  });

  test('a data directory that cannot be created', async () => {
    const dataDir = join(folder.path, 'a-file');
    writeFileSync(dataDir, '');
    const message = /^tollgate: cannot create the data directory .*a-file\/data/;
    await expectRefusal({ TOLLGATE_DATA_DIR: join(dataDir, 'data') }, message);
  });

  test('a corrupt database', async () => {
    writeFileSync(join(folder.path, 'tollgate.db'), 'not a database, '.repeat(1000));
    await expectStartError({}, /^database .*tollgate.db is corrupt .*restore it from a backup/);
  });

  test('a corrupt database of the pet store', async () => {
    writeFileSync(join(folder.path, 'petstore.db'), 'not a database, '.repeat(1000));
    await expectStartError({}, /^upstream petstore: .*petstore.db/);
  });

  test('a second gateway on the same database', async () => {
    const first = await startTestGateway({ dataDir: folder.path });
    const config = join(folder.path, 'gateway.yaml');
    const shipped = readFileSync(join(root, 'config/gateway.yaml'), 'utf8');
    writeFileSync(
      config,
      shipped
        .replace('deadline: 10s', 'deadline: 100ms')
        .replace('plans: plans', `plans: ${root}/config/plans`)
        .replace('openapi: ', `openapi: ${root}/config/`)
        .replace('../src', `${root}/src`),
    );
    const message = new RegExp(`is in use by process ${process.pid} on .* even after 7 s`);
    await expectRefusal({ TOLLGATE_CONFIG: config }, message);
    await first.stop();
  });
});

test('all configuration errors are listed together, and the exit code is 1', async () => {
  const config = join(folder.path, 'gateway.yaml');
  writeFileSync(
    config,
    'demo: 1\ncolor: red\nreplicas: 0\nbans: { within: soon }\nupstreams: [{ name: a, openapi: none.yaml, targets: [http://a] }]\n',
  );
  const env = { TOLLGATE_CONFIG: config, TOLLGATE_DATA_DIR: folder.path };
  const gateway = run('src/main.ts', [], env);
  const check = await runCommand(['config', 'check'], { env });
  expect([await gateway.ended(), check.code]).toEqual([1, 1]);
  for (const text of [gateway.output(), check.err]) {
    expect(text).toContain('the configuration has 6 errors:');
    for (const fault of ['demo', 'color', 'replicas', 'bans.within', 'none.yaml', 'plans.yaml']) {
      expect(text).toContain(fault);
    }
  }
});

/** In a container, standard output is a collected log: everyone who can read it could have used the key. */
test('a gateway that other machines can reach creates no demo key', async () => {
  const gateway = await startTestGateway({ env: { TOLLGATE_HOST: '0.0.0.0' } });
  expect(gateway.demoKey).toBe('');
  expect(gateway.logs.join('')).toContain('no demo key was created');
  expect(gateway.logs.join('')).not.toMatch(/tg_live_\w{38}/);
  await gateway.stop();
});

test('its first start explains how to create a key and call the sample service, and later starts do not', async () => {
  const first = await runGateway(folder.path, { TOLLGATE_HOST: '0.0.0.0' });
  const { port } = new URL(first.publicUrl);
  await first.waitForOutput(/tollgate keys create --owner demo/);
  await first.waitForOutput(new RegExp(`curl -i -H 'X-API-Key: KEY' http://localhost:${port}/pets\n`));
  first.child.kill('SIGTERM');
  await first.ended();

  const second = await runGateway(folder.path, { TOLLGATE_HOST: '0.0.0.0' });
  second.child.kill('SIGTERM');
  await second.ended();
  expect(second.output()).not.toContain('tollgate keys create --owner');
});
