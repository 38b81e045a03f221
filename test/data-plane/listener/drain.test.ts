import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, keepAliveAgent, runSlowGateway, type SlowGateway } from '../../support/gateway/lifecycle.ts';
import { until } from '../../support/until.ts';
import { RawConnection } from '../../support/raw.ts';
import { TestAuthority } from '../../support/servers/certificates.ts';
import { runProgram } from '../../support/gateway/process.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { timed } from '../../support/stopwatch.ts';

let folder: ReturnType<typeof tempFolder>;
let gateway: SlowGateway;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  gateway.child.kill('SIGKILL');
  folder.remove();
});

const start = async (drain: Record<string, string> = {}) => (gateway = await runSlowGateway(folder.path, { drain }));
const agents = () => [keepAliveAgent(), keepAliveAgent()] as const;
const call = (path: string, agent = keepAliveAgent()) => ask(gateway.publicUrl + path, gateway.key, agent);
const signal = (name: NodeJS.Signals = 'SIGTERM') => gateway.child.kill(name);
const ready = async () => (await fetch(`${gateway.adminUrl}/readyz`)).status;

/** Waits until the gateway has accepted a request. */
const accepted = () =>
  until(async () => {
    const { body } = await ask(`${gateway.publicUrl}/_gateway/usage`, gateway.key, new Agent());
    const { windows } = JSON.parse(body) as { windows: { used: number }[] };
    return windows[0]?.used === 1;
  });

/** Waits for the process to exit. */
async function ended(): Promise<{ code: number | string; ms: number }> {
  const { ms, value: code } = await timed(() => gateway.ended());
  return { code, ms };
}

test('a running request is finished and its response closes the connection; new connections are refused', async () => {
  await start();
  const slow = call('/slow?ms=1200');
  await accepted();
  signal();
  await gateway.waitForOutput(/"draining"/);
  await sleep(100);
  await expect(call('/now')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await ready()).toBe(503);
  expect(await slow).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
  const { code, ms } = await ended();
  expect(code).toBe(0);
  // The connection was closed with the response, so there is nothing to wait for.
  expect(ms).toBeLessThan(800);
});

test('an idle connection is served for another second, with Connection: close', async () => {
  await start();
  const [used, unused] = agents();
  const first = await call('/now', used);
  expect(first.headers.connection).toBe('keep-alive');
  await call('/now', unused);
  signal();
  await gateway.waitForOutput(/"draining"/);
  await sleep(600);
  expect(await call('/now', used)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await ended()).toMatchObject({ code: 0, ms: expect.any(Number) });
});

test('a connection gets its idle second after a response that began before the drain', async () => {
  await start();
  const agent = keepAliveAgent();
  const stream = call('/stream?ms=1500', agent);
  await accepted();
  signal();
  expect(await stream).toMatchObject({ body: 'head tail', headers: { connection: 'keep-alive' } });
  await sleep(500);
  expect(await call('/now', agent)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect((await ended()).code).toBe(0);
});

test('connections without any request do not delay the drain', async () => {
  await start();
  const { hostname, port } = new URL(gateway.publicUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  signal();
  const { code, ms } = await ended();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(5000);
  socket.destroy();
});

test('readiness fails first, and requests are served during lameDuck', async () => {
  await start({ lameDuck: '1s' });
  expect(await ready()).toBe(200);
  signal();
  await gateway.waitForOutput(/"draining"/);
  expect(await ready()).toBe(503);
  const answer = await call('/now');
  expect([answer.status, answer.headers.connection]).toEqual([200, 'keep-alive']);
  expect((await ended()).code).toBe(0);
});

test('at the deadline, running requests are aborted, and counters are saved', async () => {
  await start({ deadline: '500ms' });
  const never = expect(call('/never')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await call('/now');
  signal();
  await never;
  const { code, ms } = await ended();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(1000);
  const { key } = gateway;
  await start();
  const usage = await ask(`${gateway.publicUrl}/_gateway/usage`, key, keepAliveAgent());
  expect(JSON.parse(usage.body)).toMatchObject({ windows: [{ used: 2 }, { used: 2 }] });
});

test('slow clients of all listeners are disconnected together, and counters are saved', async () => {
  const settings = { drain: { deadline: '500ms' }, portal: { enabled: true } };
  gateway = await runSlowGateway(folder.path, settings, { TOLLGATE_PORTAL_PORT: '0' });
  const [, portalUrl = ''] = await gateway.waitForOutput(/"portalUrl":"([^"]+)"/);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
  const slow = [
    new RawConnection(gateway.publicUrl).send(`${head('/slow')}X-API-Key: ${gateway.key}\r\n\r\n{`),
    new RawConnection(gateway.adminUrl).send(`${head('/v1/keys')}\r\n{`),
    new RawConnection(portalUrl).send(`${head('/api/session')}\r\n{`),
  ];
  await call('/now');
  signal();
  expect((await ended()).code).toBe(0);
  expect(gateway.output()).not.toContain('too long');
  for (const connection of slow) connection.close();
});

test('connections that never begin their TLS handshake do not delay the drain of any listener', async () => {
  const { cert, key } = new TestAuthority(folder.path).issue('server');
  const settings = { drain: { deadline: '1s' }, portal: { enabled: true }, tls: { cert, key } };
  gateway = await runSlowGateway(folder.path, settings, { TOLLGATE_PORTAL_PORT: '0' });
  const [, portalUrl = ''] = await gateway.waitForOutput(/"portalUrl":"([^"]+)"/);
  const silent = await Promise.all(
    [gateway.publicUrl, gateway.adminUrl, portalUrl].map(async (url) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    }),
  );
  signal();
  expect((await ended()).code).toBe(0);
  for (const socket of silent) socket.destroy();
});

test('a service that never closes does not block the exit: everything else is saved, and the service is reported', async () => {
  gateway = await runSlowGateway(folder.path, { drain: { deadline: '100ms' } }, {}, { closes: false });
  await call('/now');
  signal();
  const { code, ms } = await ended();
  expect(code).toBe(1);
  expect(ms).toBeLessThan(5000);
  expect(gateway.output()).toContain('upstream slow did not close in time');
  const { key } = gateway;
  await start();
  const history = await ask(`${gateway.publicUrl}/_gateway/usage/history`, key, keepAliveAgent());
  expect(JSON.parse(history.body)).toMatchObject({ series: [{ totals: { requests: 1 } }] });
});

test('npm start forwards the signal and waits for the drain', async () => {
  const npm = runProgram('npm', ['start'], {
    HOME: folder.path,
    TOLLGATE_DATA_DIR: folder.path,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
  });
  await npm.waitForOutput(/"listening"/);
  npm.child.kill('SIGTERM');
  await npm.ended();
  expect(npm.output()).toMatch(/"draining"[^]*"stopped"/);
});

describe('a second signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s within a second is ignored, and later forces the exit',
    async (name) => {
      await start();
      const cut = expect(call('/never')).rejects.toMatchObject({ code: 'ECONNRESET' });
      await accepted();
      signal(name);
      await gateway.waitForOutput(/"draining"/);
      await sleep(500);
      signal(name);
      await sleep(700);
      expect(gateway.child.exitCode).toBeNull();
      signal(name);
      const { code, ms } = await ended();
      expect(code).toBe(1);
      expect(ms).toBeLessThan(500);
      expect(gateway.output()).toContain('stopped before draining finished');
      await cut;
    },
  );
});

describe('uncaught error', () => {
  test.each(['throw', 'reject'])(
    '(%s) is logged, running requests are finished, and the exit code is 1',
    async (kind) => {
      await start();
      const slow = call('/slow?ms=1000');
      await accepted();
      await call(`/${kind}?ms=100`);
      await gateway.waitForOutput(
        /"level":60.*(?:uncaught exception|unhandled rejection) in the service.*uncaught error; draining/,
      );
      expect(await ready()).toBe(503);
      expect(await slow).toMatchObject({ status: 200, body: 'slow' });
      expect((await ended()).code).toBe(1);
    },
  );

  test('during a drain changes only the exit code', async () => {
    await start();
    const slow = call('/slow?ms=1000');
    await call('/throw?ms=300');
    signal();
    expect((await slow).status).toBe(200);
    expect((await ended()).code).toBe(1);
  });
});
