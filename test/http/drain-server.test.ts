import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { ask, keepAliveAgent, startSlowGateway } from '../support/gateway/lifecycle.ts';
import { RawConnection } from '../support/raw.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { measureTime } from '../support/stopwatch.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

// `test/process/drain-on-signal.slow.test.ts` shows what starts a drain, and how the process ends after it.

/** A drain that is not cut short takes far longer than any test. */
const DRAIN = { deadline: '30s' };
const WITH_PORTAL = { portal: { enabled: true } };

let folder: ReturnType<typeof tempFolder>;
let gateway: TestGateway;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  await gateway.stop();
  folder.remove();
});

async function start(drainSettings: object = {}, settings: object = {}): Promise<void> {
  gateway = await startSlowGateway(folder.path, { drain: { ...DRAIN, ...drainSettings }, ...settings });
}

const call = (path: string, agent = keepAliveAgent()) => ask(gateway.url + path, gateway.demoKey, agent);
const readiness = async () => (await fetch(`${gateway.adminUrl}/readyz`)).status;

/** Starts the drain. Resolves to its duration in ms. */
const drain = async () => (await measureTime(() => gateway.stop())).ms;

async function usage(): Promise<{ used: number }[]> {
  const { body } = await ask(`${gateway.url}/_gateway/usage`, gateway.demoKey, new Agent());
  return (JSON.parse(body) as { windows: { used: number }[] }).windows;
}

/** Waits until the gateway has accepted a request. */
const waitUntilAccepted = () => until(async () => (await usage())[0]?.used === 1);

const isRefused = () =>
  call('/now').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );

test('a running request is finished and its response closes the connection, while new connections are refused', async () => {
  let ms = Infinity;
  // A busy machine can delay the end, but hardly three times.
  for (let tries = 0; tries < 3 && ms >= 800; tries++) {
    await start();
    const slow = call('/slow?ms=1200');
    await waitUntilAccepted();
    const drained = drain();
    expect(await readiness()).toBe(503);
    await until(isRefused);
    expect(await slow).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
    ({ ms } = await measureTime(() => drained));
  }
  // The response closed the connection, so the drain does not wait for the idle second of a kept connection.
  expect(ms).toBeLessThan(800);
});

test('an idle connection is served for another second, and its responses close it', async () => {
  await start();
  const [used, unused] = [keepAliveAgent(), keepAliveAgent()];
  const first = await call('/now', used);
  expect(first.headers.connection).toBe('keep-alive');
  await call('/now', unused);
  const startedAt = performance.now();
  const drained = drain();
  await sleep(150);
  expect(await call('/now', used)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await drained;
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});

test('a connection stays open for a second after a response that began before the drain', async () => {
  await start();
  const agent = keepAliveAgent();
  const stream = call('/stream?ms=1300', agent);
  await waitUntilAccepted();
  const drained = drain();
  expect(await stream).toMatchObject({ body: 'head tail', headers: { connection: 'keep-alive' } });
  await sleep(150);
  expect(await call('/now', agent)).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await drained;
});

test('connections without any request do not delay the drain', async () => {
  await start();
  const socket = await connectTo(gateway.url);
  expect(await drain()).toBeLessThan(20_000);
  socket.destroy();
});

test('readiness fails first, and requests are still served during lameDuck', async () => {
  await start({ lameDuck: '1s' });
  expect(await readiness()).toBe(200);
  const drained = drain();
  expect(await readiness()).toBe(503);
  const response = await call('/now');
  expect([response.status, response.headers.connection]).toEqual([200, 'keep-alive']);
  await drained;
});

test('at the deadline, running requests are aborted, and counters are saved', async () => {
  await start({ deadline: '500ms' });
  const never = expect(call('/never')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await call('/now');
  const drained = drain();
  await never;
  const { ms } = await measureTime(() => drained);
  // Without the deadline, the request would have no end.
  expect(ms).toBeLessThan(20_000);
  const { demoKey } = gateway;
  await start();
  const { body } = await ask(`${gateway.url}/_gateway/usage`, demoKey, new Agent());
  expect(JSON.parse(body)).toMatchObject({ windows: [{ used: 2 }, { used: 2 }] });
});

test('slow clients of all listeners are disconnected together', async () => {
  await start({ deadline: '500ms' }, WITH_PORTAL);
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n`;
  const slow = [
    new RawConnection(gateway.url).send(`${head('/slow')}X-API-Key: ${gateway.demoKey}\r\n\r\n{`),
    new RawConnection(gateway.adminUrl).send(`${head('/v1/keys')}\r\n{`),
    new RawConnection(gateway.portalUrl).send(`${head('/api/session')}\r\n{`),
  ];
  await call('/now');
  expect(await drain()).toBeLessThan(8000);
  expect(gateway.logs.join('')).not.toContain('too long');
  for (const connection of slow) connection.close();
});

test('connections that never begin their TLS handshake do not delay the drain of any listener', async () => {
  const { cert, key } = new TestAuthority(folder.path).issue('server');
  await start({}, { ...WITH_PORTAL, tls: { cert, key } });
  const silent = await Promise.all([gateway.url, gateway.adminUrl, gateway.portalUrl].map(connectTo));
  expect(await drain()).toBeLessThan(20_000);
  for (const socket of silent) socket.destroy();
});

/** Connects and sends nothing. */
async function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
