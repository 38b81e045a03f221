import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { respondInPieces } from '../../../src/control-plane/api-server/send-response.ts';
import { until } from '../../support/until.ts';

const PIECE = 'x'.repeat(100_000);

let server: Server;
let produced = 0;
let isEnded = false;
let response: ServerResponse;
let failure: unknown = null;
beforeAll(async () => {
  server = createServer((req, res) => {
    response = res;
    const pieces = { status: 200, headers: { 'Content-Type': 'text/csv' }, pieces: endless() };
    respondInPieces(req, res, pieces).catch((error: unknown) => (failure = error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      produced++;
      yield PIECE;
    }
  } finally {
    isEnded = true;
  }
}

function call(method: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

test('a response in pieces is produced no faster than the client reads, and stops when the client disconnects', async () => {
  const socket = call('GET').pause();
  await until(() => produced > 0 && response.writableNeedDrain);
  const before = produced;
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(produced).toBe(before);

  let read = 0;
  socket.on('data', (bytes) => (read += bytes.length)).resume();
  await until(() => produced > before && read > before * PIECE.length);
  expect(isEnded).toBe(false);
  socket.destroy();
  await until(() => isEnded);
  expect(failure).toBeNull();
});

test('HEAD returns only the headers of a response in pieces', async () => {
  isEnded = false;
  const socket = call('HEAD');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/csv\r\n/);
  expect([String(bytes).endsWith('\r\n\r\n'), isEnded]).toEqual([true, true]);
  socket.destroy();
});
