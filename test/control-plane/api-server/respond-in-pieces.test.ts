import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Response } from 'express';
import { respondInPieces, respondWithText } from '../../../src/control-plane/api-server/send-response.ts';
import { until } from '../../support/until.ts';

const PIECE = 'x'.repeat(100_000);
/** Characters of several bytes are at the ends of pieces. */
const TEXT = JSON.stringify('Größe 🚀'.repeat(100_000));

let server: Server;
let produced = 0;
let isEnded = false;
let response: ServerResponse;
let failure: unknown = null;
beforeAll(async () => {
  server = createServer((req, res) => {
    response = res;
    if (req.url === '/text') {
      const text = { status: 200, headers: { 'X-Own': 'yes' }, text: TEXT };
      respondWithText(req, res as Response, text).catch((error: unknown) => (failure = error));
      return;
    }
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

test('a long text is sent whole, and requests are served in between', async () => {
  let turns = 0;
  const countTurns = () => {
    turns++;
    counting = setImmediate(countTurns);
  };
  let counting = setImmediate(countTurns);
  const [received] = (await once(
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/text`),
    'response',
  )) as [IncomingMessage];
  const turnsBefore = turns;
  const receivedText = await readText(received);
  clearImmediate(counting);

  expect(receivedText).toBe(TEXT);
  expect(received.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(TEXT)),
    'x-own': 'yes',
  });
  expect(turns - turnsBefore).toBeGreaterThan(10);
  expect(failure).toBeNull();
});
