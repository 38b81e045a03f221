import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Outcome } from '../../../../src/control-plane/webhooks/sender.ts';
import { generateSigningSecret } from '../../../../src/control-plane/webhooks/signature.ts';
import { Endpoint } from '../../../support/webhooks/endpoint.ts';
import { createSender, type SenderOptions } from '../../../support/webhooks/sender.ts';

const CLOSED = 'the connection was closed before a response';
const allowPrivate = ['127.0.0.0/8'];
const secret = generateSigningSecret();
const body = '{"type":"order.created","timestamp":"2026-06-15T12:00:00.000Z","data":{"id":9007199254740993}}';

let endpoint: Endpoint;
beforeEach(async () => {
  endpoint = await Endpoint.start();
});
afterEach(() => endpoint.stop());

async function send(options: SenderOptions & { readonly url?: string } = {}): Promise<Outcome> {
  const { sender, done } = createSender({ allowPrivate, ...options });
  const outcome = await sender.send({ url: options.url ?? endpoint.url, secrets: [secret], id: 'evt_1', body });
  await done();
  return outcome;
}

test('the receiver gets exactly the body in a POST request, signed at the time of the attempt', async () => {
  const at = Date.now();
  const outcome = await send({ url: `${endpoint.url}in%20here?of=us`, clock: () => at });
  expect(outcome).toEqual({
    at,
    durationMs: expect.any(Number),
    status: 204,
    error: null,
    answer: '',
    retryAfterMs: null,
  });
  const [request] = endpoint.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/in%20here?of=us', body });
  expect(request!.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
  });
  expect(new Webhook(secret).verify(request!.body, request!.headers)).toMatchObject({ type: 'order.created' });
});

test('the first kilobyte of the response is stored as text', async () => {
  endpoint.respond = (_, res) => res.writeHead(500).end(`\0${'ü'.repeat(5000)}`);
  const { status, answer: response } = await send();
  expect(status).toBe(500);
  expect(response).toMatch(/^\ufffdü+\ufffd$/);
  expect(Buffer.byteLength(response!)).toBeLessThan(1032);
});

test('a redirect by the receiver is not followed', async () => {
  const other = await Endpoint.start();
  endpoint.respond = (_, res) => res.writeHead(301, { Location: other.url }).end();
  expect(await send()).toMatchObject({ status: 301, error: null });
  expect(other.requests).toEqual([]);
  await other.stop();
});

test.each([429, 503])(
  'Retry-After is honored in a response with status %i, but not in one with status 500',
  async (status) => {
    endpoint.respond = (_, res) => res.writeHead(status, { 'Retry-After': '7' }).end();
    expect(await send()).toMatchObject({ status, retryAfterMs: 7000 });
    endpoint.respond = (_, res) => res.writeHead(500, { 'Retry-After': '7' }).end();
    expect(await send()).toMatchObject({ status: 500, retryAfterMs: null });
  },
);

describe('an attempt to deliver an event ends', () => {
  const attemptMs = 300;
  const timeout = 'no response within 0.3 seconds';

  test('at its time limit if there is no response', async () => {
    endpoint.respond = () => {};
    expect(await send({ attemptMs })).toMatchObject({ status: null, error: timeout, answer: null });
  });

  test('at its time limit if the body of the response never ends, and its status counts', async () => {
    endpoint.respond = (_, res) => res.writeHead(200).write('so far');
    expect(await send({ attemptMs })).toMatchObject({ status: 200, error: null, answer: 'so far' });
  });

  test('if the body of the response is too long, and the connection is closed', async () => {
    const closed = new Promise((resolve) => {
      endpoint.respond = (_, res) => {
        res.on('close', resolve);
        res.writeHead(200);
        const more = () => {
          while (res.write('x'.repeat(65_536)));
        };
        res.on('drain', more);
        more();
      };
    });
    const { sender, done } = createSender({ allowPrivate });
    const { answer: response } = await sender.send({ url: endpoint.url, secrets: [secret], id: 'evt_1', body });
    expect(response).toBe('x'.repeat(1024));
    await closed;
    await done();
  });

  test('at its time limit if the host name is never resolved', async () => {
    const resolve = () => new Promise<never>(() => {});
    const url = 'https://slow.example.com/';
    const error = 'the connection timed out';
    expect(await send({ attemptMs, resolve, url })).toMatchObject({ status: null, error });
  });

  test('when the sender is closed', async () => {
    endpoint.respond = () => void done();
    const { sender, done } = createSender({ allowPrivate });
    const outcome = await sender.send({ url: endpoint.url, secrets: [secret], id: 'evt_1', body });
    expect(outcome).toMatchObject({ status: null, error: expect.any(String) });
  });
});

describe('an attempt without a response records that', () => {
  const cases: readonly (readonly [error: string, onConnection: (socket: Socket) => void])[] = [
    [CLOSED, (socket) => socket.destroy()],
    [CLOSED, (socket) => socket.once('data', () => socket.destroy())],
    [CLOSED, (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['the response is not valid HTTP', (socket) => socket.end('NOT HTTP\r\n\r\n')],
    [
      'the response is not valid HTTP',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(8000)}\r\n`.repeat(4)}\r\n`),
    ],
  ];

  test.each(cases)('%s', async (error, onConnection) => {
    const server = await rawServer(onConnection);
    expect(await send({ url: formatUrl(server) })).toMatchObject({ status: null, error });
    server.close();
  });

  test('the connection was refused', async () => {
    const server = await rawServer(() => {});
    const url = formatUrl(server);
    server.close();
    await once(server, 'close');
    expect(await send({ url })).toMatchObject({ status: null, error: 'the connection was refused' });
  });

  test('the host name cannot be resolved', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const outcome = await send({ url: 'https://nowhere.example.com/', resolve });
    expect(outcome).toMatchObject({ status: null, error: 'the host name cannot be resolved' });
  });

  test('TLS failed', async () => {
    const server = await rawServer((socket) => socket.end('not TLS'));
    const outcome = await send({ url: formatUrl(server).replace('http:', 'https:') });
    expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(/^TLS failed \(\w+\)$/) });
    server.close();
  });

  test('the port is not one of the configured ones any more', async () => {
    const error = 'the port must be one of 443';
    expect(await send({ ports: [443] })).toMatchObject({ status: null, error });
    expect(endpoint.connections).toBe(0);
  });
});

async function rawServer(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function formatUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
