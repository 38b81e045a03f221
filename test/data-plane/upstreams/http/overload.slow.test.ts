/**
 * The attack: 2,000 requests in one packet opened 2,000 connections to the service. Now the connections to a target are
 * limited, further requests wait in a queue that is short enough to be served in time, and the rest are refused
 * immediately.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { until } from '../../../support/until.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { startRawService, type RawService } from '../../../support/services/raw-service.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';

const STREAM = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata:\n\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let service: RawService;
let gateway: TestGateway;
/** Requests that the service is holding. */
let held: Socket[];
/** The path whose requests the service holds until they are released. */
let path: string;

beforeEach(async () => {
  service = await startRawService();
  held = [];
  path = service.play((socket) => held.push(socket));
});
afterEach(async () => {
  await gateway.stop();
  await service.close();
});

async function start(settings: Record<string, unknown>): Promise<void> {
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url), ...settings }]);
}

const release = () => held.splice(0).forEach((socket) => socket.write(OK));
async function countWaiting(): Promise<number> {
  const metrics = await (await gateway.admin('/metrics')).text();
  return Number(/^tollgate_upstream_waiting\{upstream="contract"[^}]*\} (\d+)$/m.exec(metrics)?.[1]);
}
const receivedByService = () => service.heads.map((head) => /\?(\w+)/.exec(head)?.[1]);

test('requests above the connection limit queue, and requests above the queue limit are refused immediately', async () => {
  await start({ maxConnections: 2, maxWaiting: 2 });
  const first = [gateway.call(`${path}?a`), gateway.call(`${path}?b`)];
  await until(() => held.length === 2);
  const waiting = [gateway.call(`${path}?c`)];
  await until(async () => (await countWaiting()) === 1);
  waiting.push(gateway.call(`${path}?d`));
  await until(async () => (await countWaiting()) === 2);
  const refused = await gateway.call(`${path}?e`);
  expect(await refused.json()).toMatchObject({ code: 'upstream_busy', status: 503 });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-ratelimit-limit')).toBe('1000000');
  expect(gateway.responses().at(-1)).toMatchObject({ status: 503, reason: 'upstream_busy' });

  expect(service.heads).toHaveLength(2);
  release();
  await until(() => held.length === 2);
  release();
  for (const response of await Promise.all([...first, ...waiting])) expect(await response.text()).toBe('ok');
  expect(receivedByService().slice(2)).toEqual(['c', 'd']);
  expect(service.connections.ever).toBe(2);
});

test('a client that disconnects while waiting leaves the queue, and its request never reaches the service', async () => {
  await start({ maxConnections: 1, maxWaiting: 1 });
  const first = gateway.call(`${path}?a`);
  await until(() => held.length === 1);
  const leaving = new RawConnection(gateway.url).send(
    `GET ${path}?b HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`,
  );
  await until(async () => (await gateway.call(`${path}?full`)).status === 503);
  leaving.close();
  await until(() => gateway.responses().some(({ aborted }) => aborted === true));
  const next = gateway.call(`${path}?c`);
  await until(async () => (await countWaiting()) === 1);
  release();
  await until(() => held.length === 1);
  release();
  expect([(await first).status, (await next).status]).toEqual([200, 200]);
  expect(receivedByService()).toEqual(['a', 'c']);
});

test('time in the queue counts toward the response timeout, which gets a 504', async () => {
  await start({ maxConnections: 1, timeouts: { response: '6s' } });
  const first = gateway.call(path);
  await until(() => held.length === 1);
  const stopwatch = startStopwatch();
  const second = gateway.call(path);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  release();
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(504);
  // Without the time in the queue, the limit would be nine seconds.
  expect(stopwatch.stop()).toBeLessThan(8500);
});

test('without timeouts.wait, a request waits for at most timeouts.response', async () => {
  await start({ maxConnections: 1, timeouts: { response: '300ms' } });
  const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await gateway.call(path)).status));
  expect(statuses).toEqual([504, 503, 503]);
});

test('a target with a free connection is preferred to a less loaded one that has none', async () => {
  const other = await startRawService();
  const streams = new Map<RawService, Socket[]>([
    [service, []],
    [other, []],
  ]);
  const stream = service.play((socket) => streams.get(service)?.push(socket));
  // Both services play the same scripts at the same paths, because either may get a request.
  other.play((socket) => held.push(socket));
  other.play((socket) => streams.get(other)?.push(socket));
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url, other.url), maxConnections: 1 }]);
  const open = (to: string) =>
    new RawConnection(gateway.url).send(`GET ${to} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
  const connections: RawConnection[] = [];
  const all = () => [...streams.values()].flat();
  for (let count = 1; count <= 3; count++) {
    const connection = open(stream);
    connections.push(connection);
    await until(() => all().length === count);
    for (const socket of all()) if (socket.bytesWritten === 0) socket.write(STREAM);
    await connection.until(/data:/);
  }
  // One service is left with two event streams, and the other one gets the next request.
  const [ended] = [...streams.values()].toSorted((a, b) => a.length - b.length);
  ended?.[0]?.end();
  await until(() => connections.some(({ received }) => received.endsWith('\r\n0\r\n\r\n')));
  const requests = [open(path)];
  await until(() => held.length === 1);
  requests.push(open(path));
  await until(() => held.length === 2);
  expect(new Set(held.map(({ localPort }) => localPort)).size).toBe(2);
  release();
  for (const connection of requests) expect(await connection.until(/ok$/)).toMatch(/ok$/);
  for (const connection of [...connections, ...requests]) connection.close();
  await other.close();
});

test('300 concurrent requests stay within the connection limit, and all get a response', async () => {
  await start({ maxConnections: 4, maxWaiting: 300 });
  const quick = service.play(OK);
  const responses = await Promise.all(Array.from({ length: 300 }, async () => (await gateway.call(quick)).text()));
  expect(new Set(responses)).toEqual(new Set(['ok']));
  expect(service.connections.ever).toBeLessThanOrEqual(4);
});

test('a lost connection frees its slot', async () => {
  await start({ maxConnections: 1, maxWaiting: 20 });
  const lost = service.play((socket) => socket.resetAndDestroy());
  const responses = await Promise.all(Array.from({ length: 10 }, async () => (await gateway.call(lost)).status));
  expect(responses).toEqual(Array.from({ length: 10 }, () => 502));
  expect(await (await gateway.call(service.play(OK))).text()).toBe('ok');
});

test('a target with only busy connections still passes its health checks', async () => {
  // A check may take as long as the interval, which is enough for a busy machine.
  const health = { path: service.play(OK), every: '4s' };
  await start({ maxConnections: 1, health });
  const busy = gateway.call(path);
  await until(() => held.length === 1);
  const before = service.heads.length;
  await until(() => service.heads.length >= before + 2);
  expect(gateway.logs.filter((line) => line.includes('unhealthy'))).toEqual([]);
  release();
  expect((await busy).status).toBe(200);
});
