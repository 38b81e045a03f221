/** Operators compare a document with the one in force through the API. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { parse, stringify } from 'yaml';
import { type Admin, expectError, PUBLISHER, VIEWER } from '../../support/gateway/admin.ts';
import { IN_FORCE, NEXT, recordCalls, startCalledShop } from '../../support/gateway/called-shop.ts';
import { createDocument } from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startCalledShop();
});
afterAll(() => admin.stop());

const compare = (document: object | string, more = {}, token?: string) =>
  admin.call('POST', '/v1/documents/diff', {
    json: { upstream: 'shop', document: typeof document === 'string' ? document : JSON.stringify(document), ...more },
    ...(token === undefined ? {} : { token }),
  });

test('a comparison names the callers of removed operations, and proposes an overlay that announces the removal', async () => {
  const { status, body } = await compare(NEXT);
  expect(status).toBe(200);
  expect(body.summary).toEqual({
    breaking: 2,
    warning: 0,
    compatible: 1,
    called: 1,
    keys: 2,
    owners: 2,
    incomplete: null,
  });
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const [pets, stores, toys] = ['pets', 'stores', 'toys'].map((id) =>
    body.changes.find((change: { operation: { id: string } }) => change.operation.id === id),
  );
  expect(pets).toMatchObject({ kind: 'operation_removed', severity: 'breaking', message: 'GET /pets was removed' });
  expect(pets.callers).toMatchObject({ keys: 2, owners: 2, requests: 3, lastAt: time });
  expect(pets.callers.top.map(({ owner }: { owner: string }) => owner).toSorted()).toEqual(['acme', 'globex']);
  expect(stores.callers).toEqual({ keys: 0, owners: 0, requests: 0, lastAt: null, top: [] });
  expect(toys).toMatchObject({ kind: 'operation_added', severity: 'compatible' });
  const update = { deprecated: true, 'x-sunset': '2026-09-13T00:00:00.000Z' };
  expect(parse(body.overlay)).toMatchObject({ actions: [{ target: "$['paths']['/pets']['get']", update }] });
});

test('a second comparison is refused while one is running', async () => {
  const body = JSON.stringify({ upstream: 'shop', document: JSON.stringify(NEXT) });
  const { port } = new URL(admin.url);
  const first = request({
    host: '127.0.0.1',
    port: Number(port),
    method: 'POST',
    path: '/v1/documents/diff',
    headers: {
      authorization: `Bearer ${VIEWER}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const response = once(first, 'response');
  first.write(body.slice(0, 10));
  let refused = await compare(NEXT);
  await until(async () => {
    if (refused.status !== 503) refused = await compare(NEXT);
    return refused.status === 503;
  });
  expectError(refused, 503, 'overloaded');
  expect(refused.headers.get('retry-after')).toBe('1');
  first.end(body.slice(10));
  const [message] = (await response) as [IncomingMessage];
  message.resume();
  expect(message.statusCode).toBe(200);
  await until(async () => (await compare(NEXT)).status === 200);
});

test('a document of 6 MB is compared, and a document above 24 MB or one that needs too much memory is refused', async () => {
  const words = 'word '.repeat(1_200_000);
  expect(await compare({ ...NEXT, info: { title: 'T', version: '1', description: words } })).toMatchObject({
    status: 200,
  });
  // The document is in the flow style of YAML, for which the parser keeps every token in memory.
  const { status, body } = await compare(`{openapi: 3.1.0, paths: {}, x: [${'[],'.repeat(7_000_000)}0]}`);
  expect([status, body.code]).toEqual([422, 'document_invalid']);
  expectError(await compare('x'.repeat(25 * 1024 * 1024)), 413, 'body_too_large');
  expect((await compare(NEXT)).status).toBe(200);
});

test('a chunked body is refused when it gets too large, and a compressed body is refused at once', async () => {
  const send = async (headers: Record<string, string>, sizeMb: number) => {
    const outgoing = request(new URL('/v1/documents/diff', admin.url), {
      agent: false,
      method: 'POST',
      headers: { authorization: `Bearer ${VIEWER}`, 'content-type': 'application/json', ...headers },
    });
    // The gateway closes the connection if it does not read the body to the end, so ignore that error.
    outgoing.on('error', () => {});
    const response = once(outgoing, 'response');
    for (let megabyte = 0; megabyte < sizeMb; megabyte++) outgoing.write(Buffer.alloc(1024 * 1024, 'x'));
    outgoing.end();
    const [message] = (await response) as [IncomingMessage];
    message.on('error', () => {}).resume();
    return message.statusCode;
  };
  expect(await send({ 'transfer-encoding': 'chunked' }, 25)).toBe(413);
  expect(await send({ 'content-encoding': 'gzip' }, 1)).toBe(415);
  await until(async () => (await compare(NEXT)).status === 200);
});

test('a body that ends early does not block later comparisons', async () => {
  const outgoing = request(new URL('/v1/documents/diff', admin.url), {
    agent: false,
    method: 'POST',
    headers: { authorization: `Bearer ${VIEWER}`, 'content-type': 'application/json', 'content-length': '1000' },
  });
  outgoing.on('error', () => {});
  outgoing.write('{"upstream"');
  await until(async () => (await compare(NEXT)).status === 503);
  outgoing.destroy();
  await until(async () => (await compare(NEXT)).status === 200);
});

test('a document that differs only in descriptions and order has no changes', async () => {
  const { body } = await compare(stringify(createDocument({ stores: {}, orders: { summary: 'Orders' }, pets: {} })));
  expect(body).toMatchObject({
    summary: { breaking: 0, warning: 0, compatible: 0, called: 0 },
    changes: [],
    overlay: null,
  });
});

test('overlays are applied to the new document before the comparison', async () => {
  const overlay = { overlay: '1.0.0', info: { title: 'O', version: '1' }, actions: [] as object[] };
  overlay.actions.push({ target: "$.paths['/pets']", remove: true });
  const { body } = await compare(IN_FORCE, { overlays: [stringify(overlay)] });
  expect(body.changes).toMatchObject([{ kind: 'operation_removed', operation: { id: 'pets' } }]);
});

test('calls before the period of the comparison do not count', async () => {
  await recordCalls(admin, ['stores'], 'initech', 3 * 86_400_000);
  expect((await compare(NEXT, { days: 7 })).body.summary).toMatchObject({ called: 2, keys: 3 });
  expect((await compare(NEXT, { days: 1 })).body.summary).toMatchObject({ called: 1, keys: 2 });
});

test('viewers may compare documents and publishers may not, and viewers still cannot change anything', async () => {
  expect((await compare(NEXT, {}, VIEWER)).status).toBe(200);
  expectError(await compare(NEXT, {}, PUBLISHER), 403, 'forbidden');
  expectError(await admin.call('POST', '/v1/plans', { json: {}, token: VIEWER }), 403, 'forbidden');
  expectError(await admin.call('POST', '/v1/documents/diff', { token: null }), 401, 'unauthorized');
});

test('a comparison that is not possible is refused, and the error names the field or the line of the fault', async () => {
  expectError(await compare(NEXT, { upstream: 'unknown' }), 400, 'validation_failed', '/upstream');
  expectError(await compare(NEXT, { days: 0 }), 400, 'validation_failed', '/days');
  expectError(await compare(NEXT, { overlays: 'text' }), 400, 'validation_failed', '/overlays');
  expectError(await compare(NEXT, { color: 'red' }), 400, 'validation_failed', '/color');
  const { status, body } = await compare('openapi: 3.1.0\npaths: [1]\n');
  expect([status, body.code]).toEqual([422, 'document_invalid']);
  expect(body.details).toEqual([{ path: '/document', message: expect.stringContaining('document:2: paths') }]);
  const overlay = await compare(NEXT, { overlays: ['actions: 5'] });
  expect(overlay.body.details[0]).toEqual({ path: '/document', message: expect.stringContaining('overlays[0]') });
});
