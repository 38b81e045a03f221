import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
beforeAll(async () => {
  api = await startPetstore();
  await api.post('/categories', { name: 'Dogs' });
});
afterAll(() => api.close());

const MEGABYTE = 1024 * 1024;
const good = '{"name":"Rex","categoryId":1}';
const padded = (size: number) => good.padEnd(size);

test.each([
  ['nothing', ''],
  ['half an object', '{"name":'],
  ['two values', `${good}{}`],
  ['single quotes', "{'name':'Rex'}"],
  ['a leading zero', '{"name":"Rex","categoryId":01}'],
  ['a leading plus', '{"name":"Rex","categoryId":+1}'],
  ['a hexadecimal number', '{"name":"Rex","categoryId":0x10}'],
  ['a duplicate name', '{"name":"Rex","name":"Rex","categoryId":1}'],
  ['a duplicate name, once escaped', '{"name":"Rex","\\u006eame":"Bella","categoryId":1}'],
  ['a duplicate name, deeply nested', '{"name":[{"a":{"b":1, "b" :2}}],"categoryId":1}'],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['100,000 levels of objects, never closed', '{"a":'.repeat(100_000)],
  ['500,000 values', `[${'1,'.repeat(499_999)}1]`],
  ['bytes that are not UTF-8', Buffer.from('{"name":"\xff","categoryId":1}', 'latin1')],
  ['an overlong encoding', Buffer.from('{"name":"\xc0\x80","categoryId":1}', 'latin1')],
  ['half a surrogate pair', '{"name":"\\ud83d","categoryId":1}'],
])('a malformed body is refused with bad_request: %s', async (_, raw) => {
  expectError(await api.call('POST', '/pets', { raw }), 400, 'bad_request');
});

test.each([
  ['1e400', '{"name":"Rex","categoryId":1e400}', '/categoryId'],
  ['-1e400', '{"name":"Rex","categoryId":-1e400}', '/categoryId'],
  ['__proto__', '{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"}}', '/__proto__'],
  ['constructor', '{"name":"Rex","categoryId":1,"constructor":1}', '/constructor'],
  ['inherited from __proto__', '{"__proto__":{"name":"Rex","categoryId":1}}', '/name'],
  ['a very long field name', `{"${'x'.repeat(10_000)}":1}`, `/${'x'.repeat(100)}`],
  ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`, ''],
  ['a JSON null', 'null', ''],
])('an invalid body is refused with validation_failed: %s', async (_, raw, path) => {
  expectError(await api.call('POST', '/pets', { raw }), 400, 'validation_failed', path);
});

test.each([
  ['a list of the largest allowed length', `[${'1,'.repeat(999)}1]`],
  ['brackets and quotes in a string', String.raw`{"name":"}]\"{[[${'['.repeat(40)}\\","categoryId":"1"}`],
])('a body is parsed before the schema refuses it: %s', async (_, raw) => {
  expectError(await api.call('POST', '/pets', { raw }), 400, 'validation_failed');
});

test.each([
  ['application/json', 201],
  ['Application/JSON; charset=UTF-8', 201],
  ['application/json;charset="utf-8"; v=1', 201],
  ['application/json; charset=latin1', 415],
  ['application/jsonp', 415],
  ['application/merge-patch+json', 415],
  ['text/plain', 415],
  ['text/plain; application/json', 415],
  ['application/x-www-form-urlencoded', 415],
])('the content type %s gets a %i', async (type, status) => {
  const response = await api.call('POST', '/pets', { raw: good, headers: { 'Content-Type': type } });
  expect(response.status).toBe(status);
  if (status === 415) expectError(response, 415, 'unsupported_media_type');
});

test('a body without a content type, or with a content encoding, is refused', async () => {
  // The body consists of bytes, because `fetch` would add a content type to a string.
  const raw = new TextEncoder().encode(good);
  const untyped = await api.call('POST', '/pets', { raw, headers: { 'Content-Type': '' } });
  expectError(untyped, 415, 'unsupported_media_type');
  const zipped = await api.call('POST', '/pets', { raw, headers: { 'Content-Encoding': 'gzip' } });
  expectError(zipped, 415, 'unsupported_media_type');
});

test('a missing body is refused if one is required', async () => {
  expectError(await api.call('POST', '/pets'), 400, 'bad_request');
  expectError(
    await api.call('PUT', '/categories/1', { headers: { 'Content-Type': 'text/plain' } }),
    400,
    'bad_request',
  );
});

test('a byte order mark before the body is ignored', async () => {
  expect((await api.call('POST', '/pets', { raw: `\u{feff}${good}` })).status).toBe(201);
});

test('a body of a megabyte is accepted, and one with a byte more gets a 413', async () => {
  expect((await api.call('POST', '/pets', { raw: padded(MEGABYTE) })).status).toBe(201);
  expectError(await api.call('POST', '/pets', { raw: padded(MEGABYTE + 1) }), 413, 'body_too_large');
});

test('a body without Content-Length gets a 413 as soon as it is too large', async () => {
  const upload = request(`${api.url}/pets`, { method: 'POST', headers: { 'Content-Type': 'application/json' } });
  upload.write(padded(MEGABYTE));
  upload.write(' ');
  const [response] = await once(upload, 'response');
  expect(response.statusCode).toBe(413);
  upload.destroy();
});

test('an aborted upload creates nothing, and the server keeps working', async () => {
  const before = (await api.get('/pets?limit=100')).body.length;
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`;
  socket.end(head + good);
  // The server closes its side once it has noticed that the client has aborted.
  socket.resume();
  await once(socket, 'close');
  expect((await api.get('/pets?limit=100')).body).toHaveLength(before);
  expect(api.log.filter((line) => line.level === 'error')).toEqual([]);
});
