import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/gateway/gateway.ts';
import { freePort, runNginx, type Nginx } from './support/servers/nginx.ts';
import { runGateway } from './support/gateway/process.ts';
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

describe('examples/clock: a module', () => {
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

  test('has keys, limits, costs and deprecation without any code for them', async () => {
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

describe('examples/files: nginx', () => {
  let nginx: Nginx;
  let gateway: Gateway;
  beforeAll(async () => {
    // Unchanged, except for the port.
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

  test('serves under its prefix, with its own headers', async () => {
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
