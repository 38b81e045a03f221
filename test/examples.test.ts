import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/gateway/gateway.ts';
import { freePort, runNginx, type Nginx } from './support/servers/nginx.ts';
import { runCommand } from './support/gateway/cli.ts';
import { run as runFile, runGateway, type RunningProgram } from './support/gateway/process.ts';
import { readDocument } from './support/documents.ts';
import { temporaryDirectory } from './support/temporary.ts';

type Gateway = Awaited<ReturnType<typeof runGateway>>;

/** Starts the gateway as described at the top of each example's `gateway.yaml`. */
async function run(config: string): Promise<Gateway> {
  return runGateway(temporaryDirectory(), { TOLLGATE_CONFIG: config });
}

async function stop(gateway: Gateway): Promise<void> {
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
}

function call(gateway: Gateway, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const key = /tg_live_\w+/.exec(gateway.output())?.[0] ?? '';
  return fetch(gateway.publicUrl + path, { headers: { 'X-API-Key': key, ...headers } });
}

describe('the example clock, a module,', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await run(join(root, 'examples/clock/gateway.yaml'));
  });
  afterAll(() => stop(gateway));

  test('serves requests and knows who the caller is', async () => {
    expect(await (await call(gateway, '/time?zone=Asia/Tokyo')).json()).toMatchObject({ zone: 'Asia/Tokyo' });
    expect((await call(gateway, '/time?zone=Nowhere')).status).toBe(400);
    expect(await (await call(gateway, '/greeting')).json()).toEqual({ text: 'Good day, demo!' });
  });

  test('gets keys, limits, costs and deprecation without any code for them', async () => {
    const before = Number((await call(gateway, '/time')).headers.get('x-ratelimit-remaining'));
    const ticks = await call(gateway, '/ticks?count=1');
    expect(await ticks.text()).toMatch(/^data: /);
    expect(Number(ticks.headers.get('x-ratelimit-remaining'))).toBe(before - 5);
    expect(ticks.headers.get('x-stability-level')).toBe('beta');
    const withoutKey = await fetch(`${gateway.publicUrl}/greeting`);
    expect([withoutKey.status, withoutKey.headers.get('sunset')]).toEqual([401, 'Fri, 31 Dec 2027 00:00:00 GMT']);
    expect((await fetch(`${gateway.publicUrl}/status`)).status).toBe(200);
  });

  test('publishes events', async () => {
    const headers = { 'X-API-Key': /tg_live_\w+/.exec(gateway.output())?.[0] ?? '' };
    const response = await fetch(`${gateway.publicUrl}/chimes`, { method: 'POST', headers });
    expect([response.status, await response.json()]).toEqual([
      202,
      { id: expect.stringMatching(/^evt_/), isNew: true },
    ]);
  });
});

describe('the example files, served by nginx,', () => {
  let nginx: Nginx;
  let gateway: Gateway;
  beforeAll(async () => {
    // Run the example as shipped. Only the port is replaced.
    const folder = temporaryDirectory();
    // When root starts nginx, it reads files as another user.
    chmodSync(folder, 0o755);
    cpSync(join(root, 'examples/files'), folder, { recursive: true });
    const port = await freePort();
    for (const file of ['nginx.conf', 'gateway.yaml']) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text).toContain('127.0.0.1:9002');
      const moved = text.replace('127.0.0.1:9002', `127.0.0.1:${port}`);
      writeFileSync(join(folder, file), moved.replace('../../config', join(root, 'config')));
    }
    nginx = await runNginx(folder, 'nginx.conf', port);
    gateway = await run(join(folder, 'gateway.yaml'));
  });
  afterAll(async () => {
    await stop(gateway);
    await nginx.stop();
  });

  test('is served under its prefix, with its own headers', async () => {
    const response = await call(gateway, '/store/files/hello.txt');
    expect([response.status, await response.text()]).toEqual([200, 'Hello from nginx.\n']);
    expect(response.headers.get('content-type')).toBe('text/plain');
    const again = await call(gateway, '/store/files/hello.txt', {
      'If-None-Match': response.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    const part = await call(gateway, '/store/files/hello.txt', { Range: 'bytes=0-4' });
    expect([part.status, await part.text()]).toEqual([206, 'Hello']);
  });

  test('can be reached only with a key, and only at its documented paths', async () => {
    expect((await fetch(`${gateway.publicUrl}/store/files/hello.txt`)).status).toBe(401);
    expect((await call(gateway, '/store/healthz')).status).toBe(404);
    expect((await call(gateway, '/store/files/../healthz')).status).toBe(404);
    expect((await call(gateway, '/store/files/%2e%2e%2fnginx.conf')).status).toBe(400);
    expect((await call(gateway, '/store/files/none.txt')).status).toBe(404);
  });
});

describe('the example vendor, whose document an overlay changes,', () => {
  const section = readDocument('docs/upstream-teams.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Change a document'));
  let folder: string;
  let vendor: RunningProgram;
  let gateway: Gateway;
  beforeAll(async () => {
    const port = await freePort();
    vendor = runFile('examples/vendor/server.js', [], { PORT: String(port) });
    await vendor.waitForOutput(/listening/);
    // Run the example as shipped. Only the port is replaced.
    folder = temporaryDirectory();
    cpSync(join(root, 'examples/vendor'), folder, { recursive: true });
    const file = join(folder, 'gateway.yaml');
    const text = readFileSync(file, 'utf8').replace('../../config', join(root, 'config'));
    expect(text).toContain('127.0.0.1:9003');
    writeFileSync(file, text.replace('127.0.0.1:9003', `127.0.0.1:${port}`));
    gateway = await run(file);
  });
  afterAll(async () => {
    await stop(gateway);
    vendor.child.kill();
    await vendor.ended();
  });

  test('has its files and the output of a check in the guide', async () => {
    expect(section).toContain(readFileSync(join(root, 'examples/vendor/vendor.overlay.yaml'), 'utf8'));
    const settings = readFileSync(join(root, 'examples/vendor/gateway.yaml'), 'utf8').replace(/^#.*\n/gm, '');
    expect(section).toContain(settings);
    const checked = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: join(folder, 'gateway.yaml') } });
    const listed = checked.out.split('\n').slice(0, -2).join('\n');
    expect(section).toContain(`config check\n${listed}\n\`\`\``);
    const without = join(folder, 'without.yaml');
    writeFileSync(without, readFileSync(join(folder, 'gateway.yaml'), 'utf8').replace(/^.*overlays.*\n/m, ''));
    const { err } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: without } });
    const refusal = err.split('\n\n')[0]?.replaceAll(folder, 'examples/vendor');
    expect(section).toContain(`config check\n${refusal}\n\`\`\``);
  });

  test('is served as the overlay says, and the service sees the calls', async () => {
    const remaining = async (path: string, method = 'GET') => {
      const key = /tg_live_\w+/.exec(gateway.output())?.[0] ?? '';
      const response = await fetch(gateway.publicUrl + path, { method, headers: { 'X-API-Key': key } });
      expect(await response.json()).toMatchObject({ asked: `${method} ${path}` });
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const before = await remaining('/documents/guides/first');
    expect(await remaining('/reports', 'POST')).toBe(before - 5);
    expect((await call(gateway, '/v1/search')).headers.get('sunset')).toContain('2099');
    expect((await fetch(`${gateway.publicUrl}/status`)).status).toBe(200);
    expect((await call(gateway, '/internal')).status).toBe(404);
    const note = { type: ['string', 'null'] };
    expect(await (await call(gateway, '/_gateway/openapi.json')).json()).toMatchObject({
      components: { schemas: { Report: { properties: { note } } } },
    });
  });
});
