/** The bodies that the gateway buffers for checks must stay within its memory limit, and must be released. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import { type HttpService, listening } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const BODIES = 1000;
const BODY_BYTES = 100_000;
const BODY = JSON.stringify('x'.repeat(BODY_BYTES - 2));
/** There is room for 40 of the bodies. */
const MAX_BUFFERED_BYTES = 40 * BODY_BYTES;

const openapi = join(temporaryDirectory(), 'notes.json');
const content = { 'application/json': { schema: { type: 'string' } } };
const responses = { 200: { description: 'OK' } };
writeFileSync(
  openapi,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: { '/notes': { post: { operationId: 'addNote', requestBody: { content }, responses } } },
  }),
);

let service: HttpService;
let gateway: TestGateway;
let receivedBytes = 0;
let waitingRequests = 0;
beforeAll(async () => {
  const server = createServer((req, res) => {
    const behaviour = req.headers['x-behaviour'];
    if (behaviour === 'hang up') req.socket.destroy();
    else if (behaviour === 'respond early') res.end();
    else if (behaviour === 'wait') {
      waitingRequests++;
      req.resume();
    } else {
      req.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
      req.on('end', () => res.end('done'));
    }
  });
  service = await listening(server);
});
afterAll(() => service.close());
afterEach(() => gateway.stop());

async function start(validation: 'report' | 'enforce'): Promise<void> {
  receivedBytes = 0;
  // On a busy machine, the bodies take minutes.
  const timeouts = { connect: '30s', response: '5m', idle: '5m' };
  const limits = { maxConnections: BODIES, maxWaiting: BODIES, timeouts };
  gateway = await startGatewayWithUpstreams(
    [{ name: 'notes', openapi, targets: [service.url], validation, ...limits }],
    {
      validation: { maxBody: '256kb', maxBuffered: `${MAX_BUFFERED_BYTES / 1000}kb` },
      edge: { headersTimeout: '5m', requestTimeout: '5m', writeTimeout: '5m' },
    },
  );
}

/** @param length null: the body is chunked */
const head = (length: number | null = BODY_BYTES) =>
  `POST /notes HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Type: application/json\r\n` +
  `${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;

/** Sends all bodies except for their last byte. */
function sendUnfinished(): RawConnection[] {
  const connections = Array.from({ length: BODIES }, () => new RawConnection(gateway.url));
  for (const connection of connections) connection.send(head() + BODY.slice(0, -1));
  return connections;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory of all buffers in this process, which has clients, gateway and service. */
function readBufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Waits until the bodies fill most of the memory. */
const waitUntilHeld = (before: number) => until(() => readBufferBytes() - before > 0.9 * MAX_BUFFERED_BYTES);
/**
 * Clients and sockets need some memory, too, but only while bytes arrive. Without the limit, the bodies would keep
 * 100 MB. If bytes of a body were buffered twice, the bodies would keep 8 MB.
 */
const waitUntilBounded = (before: number) => until(() => readBufferBytes() - before < 1.25 * MAX_BUFFERED_BYTES);

test('enforce buffers as many bodies as fit into memory, and refuses the others', async () => {
  await start('enforce');
  const before = readBufferBytes();
  const connections = sendUnfinished();
  const refused = () => connections.filter(({ received }) => received.startsWith('HTTP/1.1 503'));
  await until(() => refused().length >= BODIES - 40);
  await until(() => refused().every(({ ended }) => ended));
  await waitUntilBounded(before);
  const held = connections.filter(({ ended }) => !ended);
  expect(held.length).toBeGreaterThanOrEqual(20);
  expect(receivedBytes).toBe(0);
  for (const connection of held) connection.send(BODY.slice(-1));
  for (const connection of held) expect((await connection.readResponse()).status).toBe(200);
  expect(receivedBytes).toBe(held.length * BODY_BYTES);
  // All memory is free again, so that it has room for as many bodies as at first.
  const next = Array.from({ length: MAX_BUFFERED_BYTES / BODY_BYTES }, () => new RawConnection(gateway.url));
  for (const connection of next) connection.send(head() + BODY.slice(0, -1));
  await waitUntilHeld(before);
  for (const connection of next) connection.send(BODY.slice(-1));
  for (const connection of next) expect((await connection.readResponse()).status).toBe(200);
  for (const connection of [...connections, ...next]) connection.close();
});

test('report forwards all bodies, and checks those that fit into memory', async () => {
  await start('report');
  const before = readBufferBytes();
  const connections = sendUnfinished();
  await until(() => receivedBytes === BODIES * (BODY_BYTES - 1));
  await waitUntilBounded(before);
  for (const connection of connections) connection.send(BODY.slice(-1));
  for (const connection of connections) expect((await connection.readResponse()).status).toBe(200);
  expect(receivedBytes).toBe(BODIES * BODY_BYTES);
  const readUnchecked = async () => {
    const response = await gateway.admin('/v1/operations/addNote/violations');
    const { unchecked } = (await response.json()) as { unchecked: { reason: string; requests: number }[] };
    return unchecked.find(({ reason }) => reason === 'overloaded')?.requests ?? 0;
  };
  await until(async () => (await readUnchecked()) >= BODIES - 40);
  expect(await readUnchecked()).toBeLessThanOrEqual(BODIES - 20);
  for (const connection of connections) connection.close();
});

test('a buffered body frees its memory, however its request ends', async () => {
  const size = 10 * 1024;
  // There is room for one body, so that a single byte that is not released is noticed.
  const settings = { validation: { maxBody: '10kb', maxBuffered: '10kb' } };
  const upstreams = [{ name: 'notes', openapi, targets: [service.url], validation: 'enforce' }];
  gateway = await startGatewayWithUpstreams(upstreams, settings);
  const fill = (body: string) => body.padEnd(size);
  const post = async (body: string, behaviour = '', signal: AbortSignal | null = null) => {
    const headers = { 'Content-Type': 'application/json', 'X-Behaviour': behaviour };
    return (await gateway.call('/notes', { method: 'POST', body, headers, signal })).status;
  };
  const waitUntilFree = () => until(async () => (await post(fill('"x"'))) === 200);
  const holdOne = async () => {
    const connection = new RawConnection(gateway.url);
    connection.send(head(size) + fill('"x"').slice(0, -1));
    await until(async () => (await post('"x"')) === 503);
    return connection;
  };
  (await holdOne()).close();
  await waitUntilFree();
  expect(await post(fill('1'))).toBe(400);
  await waitUntilFree();
  expect(await post(fill('"x'))).toBe(400);
  await waitUntilFree();
  const chunk = fill('"x"');
  const tooLong = new RawConnection(gateway.url).send(
    `${head(null)}${size.toString(16)}\r\n${chunk}\r\n1\r\n \r\n0\r\n\r\n`,
  );
  expect((await tooLong.readResponse()).status).toBe(413);
  await waitUntilFree();
  expect(await post(fill('"x"'), 'hang up')).toBe(502);
  await waitUntilFree();
  expect(await post(fill('"x"'), 'respond early')).toBe(200);
  await waitUntilFree();
  const abort = new AbortController();
  const waiting = post(fill('"x"'), 'wait', abort.signal).catch(() => 0);
  await until(() => waitingRequests === 1);
  abort.abort();
  expect(await waiting).toBe(0);
  await waitUntilFree();
  // The memory was not released twice either.
  (await holdOne()).close();
  await gateway.stop();
  const edge = { headersTimeout: '1s', requestTimeout: '1s' };
  gateway = await startGatewayWithUpstreams(upstreams, { ...settings, edge });
  const slow = new RawConnection(gateway.url).send(head(size) + fill('"x"').slice(0, -1));
  expect((await slow.readResponse()).status).toBe(408);
  await waitUntilFree();
});
