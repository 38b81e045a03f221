/** A thousand bodies arrive at once. What the gateway keeps of them for checks must stay within its limit. */
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
/** Room for 40 of the bodies. */
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
beforeAll(async () => {
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
    req.on('end', () => res.end('done'));
  });
  service = await listening(server);
});
afterAll(() => service.close());
afterEach(() => gateway.stop());

async function start(validation: 'report' | 'enforce'): Promise<void> {
  receivedBytes = 0;
  const limits = { maxConnections: BODIES, maxWaiting: BODIES };
  gateway = await startGatewayWithUpstreams(
    [{ name: 'notes', openapi, targets: [service.url], validation, ...limits }],
    { validation: { maxBody: '256kb', maxBuffered: `${MAX_BUFFERED_BYTES / 1000}kb` } },
  );
}

const head = () =>
  `POST /notes HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${BODY_BYTES}\r\n\r\n`;

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

/** Besides the bodies that are kept, sockets hold chunks that they have just read. Without the limit, all bodies stay. */
const waitUntilBounded = (before: number) => until(() => readBufferBytes() - before < (BODIES * BODY_BYTES) / 4);

test('enforce holds as many bodies as fit into memory, and refuses the others', async () => {
  await start('enforce');
  const before = readBufferBytes();
  const connections = sendUnfinished();
  const refused = () => connections.filter(({ received }) => received.startsWith('HTTP/1.1 503'));
  // The capacity of a body doubles as it grows, up to 200,000 bytes.
  await until(() => refused().length >= BODIES - 40);
  await until(() => refused().every(({ ended }) => ended));
  await waitUntilBounded(before);
  const held = connections.filter(({ ended }) => !ended);
  expect(held.length).toBeGreaterThanOrEqual(20);
  expect(receivedBytes).toBe(0);
  for (const connection of held) connection.send(BODY.slice(-1));
  const statuses: number[] = [];
  for (const connection of held) statuses.push((await connection.answer()).status);
  // A body that still had to grow may be refused at its end.
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const served = statuses.filter((status) => status === 200).length;
  expect(served).toBeGreaterThanOrEqual(10);
  expect(receivedBytes).toBe(served * BODY_BYTES);
  // All memory is free again.
  const next = Array.from({ length: 20 }, () => new RawConnection(gateway.url).send(head() + BODY));
  for (const connection of next) expect((await connection.answer()).status).toBe(200);
  for (const connection of [...connections, ...next]) connection.close();
}, 120_000);

test('report passes all bodies on, and checks those that fit into memory', async () => {
  await start('report');
  const before = readBufferBytes();
  const connections = sendUnfinished();
  await until(() => receivedBytes === BODIES * (BODY_BYTES - 1));
  await waitUntilBounded(before);
  for (const connection of connections) connection.send(BODY.slice(-1));
  for (const connection of connections) expect((await connection.answer()).status).toBe(200);
  expect(receivedBytes).toBe(BODIES * BODY_BYTES);
  const readUnchecked = async () => {
    const response = await gateway.admin('/v1/operations/addNote/violations');
    const { unchecked } = (await response.json()) as { unchecked: { reason: string; requests: number }[] };
    return unchecked.find(({ reason }) => reason === 'overloaded')?.requests ?? 0;
  };
  await until(async () => (await readUnchecked()) >= BODIES - 40);
  expect(await readUnchecked()).toBeLessThanOrEqual(BODIES - 20);
  for (const connection of connections) connection.close();
}, 120_000);
