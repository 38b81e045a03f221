import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { formatUrl } from '../../src/petstore/serve.ts';
import upstream from '../../src/petstore/upstream.ts';
import { expectError, callApi, openapi, startPetstore } from '../support/petstore/petstore.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Opens a raw connection, because `fetch` shares its connections. */
async function open(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  return { socket, closed: once(socket, 'close') };
}

const post = (body: string) =>
  `POST /categories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

test('the health check needs no headers or body', async () => {
  const api = await startPetstore();
  const response = await fetch(`${api.url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  await api.close();
});

test('the log has the address, and one line for each response', async () => {
  const api = await startPetstore();
  expect(api.log).toContainEqual({ level: 'info', message: 'listening', url: api.url });
  await api.call('GET', '/pets?limit=1', { headers: { 'X-Request-Id': 'abc' } });
  await api.get('/pets/1');
  await api.close();
  const lines = api.log.filter((line) => line.message === 'request');
  const durationMs = expect.any(Number);
  expect(lines).toEqual([
    { level: 'info', message: 'request', method: 'GET', path: '/pets', status: 200, durationMs, requestId: 'abc' },
    { level: 'info', message: 'request', method: 'GET', path: '/pets/1', status: 404, durationMs },
  ]);
});

// Express once responded with its own HTML page.
test('a target that Express cannot parse gets a regular error', async () => {
  const api = await startPetstore();
  const { socket, closed } = await open(api.url);
  socket.write('GET http://[/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 404 [^]*\{"code":"route_not_found"/);
  await closed;
  await api.close();
});

test('a running request is finished while the server closes, and then its connection is closed', async () => {
  const api = await startPetstore({ drain: { quietMs: 60_000 } });
  const { socket, closed } = await open(api.url);
  const body = '{"name":"Dogs"}';
  socket.write(post(body) + body.slice(0, 5));
  // Once a later request has been served, the server has read the headers of the first one.
  await fetch(`${api.url}/healthz`, { headers: { Connection: 'close' } });
  const closing = api.close();
  socket.write(body.slice(5));
  const [response] = await once(socket, 'data');
  expect(response).toMatch(/^HTTP\/1\.1 201 [^]*Connection: close/);
  await closed;
  await closing;
});

test('idle connections are served once more during the quiet period, with Connection: close', async () => {
  const api = await startPetstore({ drain: { quietMs: 60_000 } });
  const { socket, closed } = await open(api.url);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await once(socket, 'data'))[0]).toContain('Connection: keep-alive');
  const closing = api.close();
  await expect(fetch(`${api.url}/healthz`, { headers: { Connection: 'close' } })).rejects.toThrow();
  socket.write('GET /pets HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/);
  await closed;
  await closing;
});

test('connections that remain at the deadline are closed', async () => {
  const api = await startPetstore({ drain: { quietMs: 0, deadlineMs: 1 } });
  const { socket, closed } = await open(api.url);
  socket.on('error', () => {});
  socket.write(post('{"name":"Dogs"}'));
  await fetch(`${api.url}/healthz`, { headers: { Connection: 'close' } });
  await api.close();
  await closed;
});

test('the details of an internal error appear only in the log', async () => {
  const database = join(temporaryDirectory(), 'pets.db');
  await (await startPetstore({ database })).close();
  const db = new DatabaseSync(database);
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON categories BEGIN SELECT RAISE(ABORT, 'a secret'); END");
  db.close();
  const api = await startPetstore({ database });
  const response = await api.post('/categories', { name: 'Dogs' });
  expectError(response, 500, 'internal_error');
  expect(response.text).not.toContain('secret');
  const err = expect.objectContaining({ message: 'a secret' });
  const line = { level: 'error', message: 'request failed', err, method: 'POST', path: '/categories' };
  expect(api.log).toContainEqual(line);
  await api.close();
});

test('a closed module refuses requests', async () => {
  const dataDir = temporaryDirectory();
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const store = await upstream.create({ database: 'pets.db' }, { dataDir, openapi, demo: true, logger });
  const server = createServer(store.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = formatUrl(server);
  expect(store.ready()).toBe(true);
  expect((await callApi(url, 'GET', '/pets/1', {})).status).toBe(200);
  await store.close();
  await store.close();
  expect(store.ready()).toBe(false);
  const refused = await callApi(url, 'GET', '/pets/1', {});
  expectError(refused, 503, 'shutting_down');
  expect(refused.headers.get('retry-after')).toBe('1');
  server.closeAllConnections();
  await server[Symbol.asyncDispose]();
});
