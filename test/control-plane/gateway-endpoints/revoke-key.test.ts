/** Anyone who has the secret of a key can revoke it. This must work even when other parts of the gateway fail. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Action } from '../../../src/data-plane/boundary-types.ts';
import { createGatewayEndpointsStep } from '../../../src/data-plane/steps/gateway-endpoints.ts';
import { TryItConnections } from '../../../src/data-plane/credentials/try-it-connections.ts';
import { createRevokeKeyAction } from '../../../src/control-plane/gateway-endpoints/revoke-key.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { dereferenced } from '../../../src/openapi/pointer.ts';
import { type Portal, startPortal } from '../../support/gateway/portal.ts';
import { RawConnection, sendRaw } from '../../support/raw.ts';
import { free, createNewKey as storableKey } from '../../support/registry-data.ts';
import { RedisServer } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PATH = '/_gateway/key/revoke';
const ELSEWHERE = '203.0.113.7';

let redis: RedisServer;
let portal: Portal;
beforeAll(async () => {
  redis = await RedisServer.start();
  portal = await startPortal({
    settings: {
      // The gateway trusts the proxy, so that tests can set the address of the client.
      trustedProxies: ['127.0.0.1'],
      cors: { origins: ['https://app.example.com'] },
      // Some tests stop Redis and wait for this timeout, so it is short.
      redis: { commandTimeout: '2s' },
    },
    env: { TOLLGATE_STORE: redis.url },
  });
});
afterAll(async () => {
  await portal.stop();
  await redis.stop();
});

async function newKey(more: object = {}): Promise<{ readonly id: string; readonly key: string }> {
  return portal.admin('POST', '/v1/keys', { name: 'Leaked', owner: 'acme', plan: 'free', ...more });
}

async function revoke(key: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await portal.gateway.call(PATH, { key, method: 'POST', headers, ...sent });
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const readStatus = async (key: string, headers: Record<string, string> = {}) =>
  (await portal.gateway.call('/pets', { key, headers })).status;

test('a call to /_gateway/key/revoke revokes only the key that sent it, and records the key and the reason', async () => {
  const old = await newKey();
  const { id, key } = await portal.admin('POST', `/v1/keys/${old.id}/rotate`, { graceSeconds: 3600 });
  expect(await revoke(key, { reason: 'Found in a gist' })).toMatchObject({
    status: 200,
    body: { id, status: 'revoked' },
  });
  expect([await readStatus(key), await readStatus(old.key)]).toEqual([401, 200]);
  const [entry] = (await portal.admin('GET', `/v1/audit?subject=${id}&limit=1`)).items;
  expect(entry).toMatchObject({ action: 'key.revoke', actor: id, reason: 'Found in a gist' });
  const [event] = (await portal.admin('GET', `/v1/events?subject=${id}&type=key.revoked`)).items;
  expect(event.data).toMatchObject({ id, holder: { reason: 'Found in a gist' } });
  expect((await revoke(key)).body.code).toBe('key_revoked');
});

test("the event of a key revoked by an operator does not contain the operator's reason", async () => {
  const { id } = await newKey();
  await portal.admin('DELETE', `/v1/keys/${id}`, { reason: 'Did not pay' });
  const [event] = (await portal.admin('GET', `/v1/events?subject=${id}&type=key.revoked`)).items;
  expect(event.data.holder).toBeNull();
  expect(JSON.stringify(event)).not.toContain('Did not pay');
});

test('the portal shows the account the reason that the holder of the key gave', async () => {
  const owner = await portal.signInAs(await portal.account('told'));
  const created = (await owner.post('/api/keys', { name: 'Mine' })).body;
  const other = (await owner.post('/api/keys', { name: 'Other' })).body;
  await owner.post(`/api/keys/${other.id}/revoke`, {});
  await revoke(created.key, { reason: '<b>yours?</b>' });
  const { items } = (await owner.get('/api/keys')).body;
  expect(items).toMatchObject([
    { id: other.id, status: 'revoked' },
    {
      id: created.id,
      status: 'revoked',
      revokedByHolder: { reason: '<b>yours?</b>', at: expect.stringMatching(/^20/) },
    },
  ]);
  expect(items[0]).not.toHaveProperty('revokedByHolder');
});

test('a key that is banned, out of quota or used from an address it does not allow can still revoke itself', async () => {
  const banned = await newKey();
  await portal.admin('PUT', `/v1/keys/${banned.id}/ban`, { seconds: 600, reason: 'test' });
  const used = await newKey();
  while ((await readStatus(used.key)) === 200);
  const restricted = await newKey({ addresses: ['198.51.100.0/24'] });
  const from = { 'X-Forwarded-For': ELSEWHERE };
  expect((await portal.gateway.call('/pets', { key: restricted.key, headers: from })).status).toBe(403);
  for (const { id, key } of [banned, used, restricted]) {
    expect((await revoke(key, undefined, from)).status).toBe(200);
    expect((await portal.admin('GET', `/v1/keys/${id}`)).status).toBe('revoked');
  }
});

test('a key can revoke itself while Redis is unavailable, and without a charge', async () => {
  const { id, key } = await newKey();
  await redis.kill();
  try {
    const { status, headers } = await revoke(key);
    expect(status).toBe(200);
    expect(headers.has('X-RateLimit-Limit')).toBe(false);
  } finally {
    await redis.start();
  }
  expect((await portal.admin('GET', `/v1/keys/${id}`)).status).toBe('revoked');
});

test.each([
  ['is not JSON', '{', 400, 'validation_failed'],
  ['is not an object', '[]', 400, 'validation_failed'],
  ['has an unknown field', { why: 'leaked' }, 400, 'validation_failed'],
  ['has a reason of 201 characters', { reason: 'x'.repeat(201) }, 400, 'validation_failed'],
  ['has a reason that reverses text', { reason: 'a\u202Eb' }, 400, 'validation_failed'],
  ['has more than 4 KB', { reason: 'x'.repeat(5000) }, 413, 'body_too_large'],
])('a call to revoke a key is rejected if its body %s, and the key keeps working', async (_, body, status, code) => {
  const { key } = await newKey();
  expect(await revoke(key, body)).toMatchObject({ status, body: { code } });
  expect(await readStatus(key)).toBe(200);
});

test('a call to revoke a key may have a chunked body or wait for 100 Continue, and an endless body is cut off', async () => {
  const [chunked, announced, cut] = [await newKey(), await newKey(), await newKey()];
  const head = (key: string, more: string) =>
    `POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n${more}\r\n\r\n`;
  const body = '{"reason":"leaked"}';
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect(await sendRaw(portal.gateway.url, head(chunked.key, 'Transfer-Encoding: chunked') + chunk)).toContain(
    ' 200 OK',
  );
  const expecting = head(announced.key, `Expect: 100-continue\r\nContent-Length: ${body.length}`) + body;
  expect(await sendRaw(portal.gateway.url, expecting)).toMatch(/^HTTP\/1.1 100 Continue[^]*HTTP\/1.1 200 OK/);
  const endless = head(cut.key, 'Transfer-Encoding: chunked') + `2000\r\n${'x'.repeat(0x2000)}\r\n`;
  expect(await sendRaw(portal.gateway.url, endless)).toContain(' 413 ');
  expect(await readStatus(cut.key)).toBe(200);
});

/**
 * The responses to such calls once showed that the key was valid and which limits it had, and the calls were neither
 * counted nor reported.
 */
describe('a failed call to revoke a key, from an address that the key does not allow,', () => {
  let lastHost = 0;
  const newAddress = () => `203.0.113.${100 + ++lastHost}`;

  /** Asserts the response to a call from an address that is not allowed, and the reports about the call. */
  async function expectRefusal(
    id: string,
    address: string,
    { status, headers, body }: Awaited<ReturnType<typeof revoke>>,
  ) {
    expect([status, body.code]).toEqual([403, 'address_not_allowed']);
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['20', '19']);
    expect(headers.has('X-Key-Expires')).toBe(false);
    await expectReport(id, address);
  }

  async function expectReport(id: string, address: string) {
    await until(async () => {
      const { items } = await portal.admin('GET', `/v1/events?subject=${id}&type=key.address_refused`);
      return items.some((event: { data: object }) => JSON.stringify(event.data).includes(`"${address}"`));
    });
    expect((await portal.admin('GET', `/v1/keys/${id}`)).status).toBe('active');
  }

  test.each([
    ['is not JSON', '{'],
    ['has an unknown field', { why: 'leaked' }],
    ['is too long', { reason: 'x'.repeat(5000) }],
  ])('is refused as a call from a wrong address if its body %s', async (_, body) => {
    const { id, key } = await newKey({ addresses: ['198.51.100.0/24'] });
    const address = newAddress();
    await expectRefusal(id, address, await revoke(key, body, { 'X-Forwarded-For': address }));
  });

  test('is refused as a call from a wrong address if the key has expired', async () => {
    const expiresAt = new Date(Date.now() + 1000).toISOString();
    const { key, id } = await newKey({ addresses: ['198.51.100.0/24'], expiresAt });
    await until(async () => (await readStatus(key, { 'X-Forwarded-For': '198.51.100.1' })) === 401);
    const address = newAddress();
    const { status, body } = await revoke(key, undefined, { 'X-Forwarded-For': address });
    expect([status, body.code]).toEqual([403, 'address_not_allowed']);
    await until(async () => (await portal.admin('GET', `/v1/events?subject=${id}&type=key.address_refused`)).items[0]);
  });

  test('counts against the limit of the address if it never sends its body', async () => {
    const { id, key } = await newKey({ addresses: ['198.51.100.0/24'] });
    const address = newAddress();
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nX-Forwarded-For: ${address}\r\n`;
    const connection = new RawConnection(portal.gateway.url);
    connection.send(`${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
    await connection.until(/100 Continue/);
    connection.close();
    await expectReport(id, address);
    const next = await revoke(key, '{', { 'X-Forwarded-For': address });
    expect(next.headers.get('X-RateLimit-Remaining')).toBe('18');
  });

  test('gets 429 above the limit of the address, but a valid call still revokes the key', async () => {
    const { key } = await newKey({ addresses: ['198.51.100.0/24'] });
    const from = { 'X-Forwarded-For': newAddress() };
    for (let call = 0; call < 20; call++) expect((await revoke(key, '{', from)).status).toBe(403);
    const refused = await revoke(key, '{', from);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_failed_attempts']);
    expect((await revoke(key, undefined, from)).status).toBe(200);
  });
});

test('/_gateway/key/revoke accepts only POST, and pages of allowed origins can call it', async () => {
  const { key } = await newKey();
  const get = await portal.gateway.call(PATH, { key });
  expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST']);
  const preflight = await portal.gateway.call(PATH, {
    key: null,
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('POST');
  expect((await portal.gateway.call(PATH, { key: null, method: 'POST' })).status).toBe(401);
});

test('failed calls to revoke a key are limited per key, and do not block a valid one', async () => {
  const owner = await portal.signInAs(await portal.account('limited'));
  const [one, other] = [
    (await owner.post('/api/keys', { name: 'a' })).body,
    (await owner.post('/api/keys', { name: 'b' })).body,
  ];
  for (let call = 0; call < 10; call++) expect((await revoke(one.key, '{')).status).toBe(400);
  const refused = await revoke(one.key, '{');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  expect((await revoke(other.key, '{')).status).toBe(400);
  expect((await revoke(one.key)).status).toBe(200);
});

test("the portal's “Try it” cannot revoke a key", async () => {
  const owner = await portal.signInAs(await portal.account('tries'));
  const { id, key } = (await owner.post('/api/keys', { name: 'a' })).body;
  const tried = await owner.post('/api/try', { keyId: id, method: 'POST', path: PATH });
  expect(tried.status === 200 ? tried.body.status : tried.status).toBeGreaterThanOrEqual(400);
  expect(await readStatus(key)).toBe(200);
});

test('the gateway refuses to revoke a key in a “Try it” call, even if the portal forwards the call', async () => {
  const tryItConnections = new TryItConnections();
  let acted = 0;
  const act: Action = () => {
    acted += 1;
    return '{}';
  };
  const dependencies = { findEndpoint: () => ({ act }), tryItConnections };
  const step = createGatewayEndpointsStep(dependencies as unknown as Parameters<typeof createGatewayEndpointsStep>[0]);
  const socket = {};
  tryItConnections.trust(socket, 'hash');
  const exchange = { path: PATH, req: { method: 'POST', socket } } as unknown as Parameters<typeof step>[0];
  expect(await step(exchange, {} as Parameters<typeof step>[1])).toMatchObject({ code: 'operation_not_allowed' });
  expect(acted).toBe(0);
});

test('if a key could not be revoked, the error says that it may still work, and a deleted key is invalid', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  try {
    const registry = new Registry(database);
    const change = { actor: 'test', reason: null, at: 1 };
    await registry.seedPlans([free], change);
    const key = await registry.createKey(storableKey(), change);
    const revokeById = (keyId: string) =>
      createRevokeKeyAction(registry, Date.now)({ credential: { keyId }, body: '' } as Parameters<Action>[0]);
    database.sqlite.exec('PRAGMA query_only = ON');
    expect(await revokeById(key.id)).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/may not be revoked yet.*Repeat the call/),
      headers: ['Retry-After', '1'],
    });
    database.sqlite.exec('PRAGMA query_only = OFF');
    expect(await revokeById('key_gone')).toMatchObject({ code: 'key_invalid' });
    expect(await revokeById(key.id)).toContain('revoked');
  } finally {
    await database.close();
    folder.remove();
  }
});

test('the OpenAPI document for consumers lists the refusals of /_gateway/key/revoke', async () => {
  const document = await (await portal.gateway.call('/_gateway/openapi.json')).json();
  interface Responses {
    readonly paths: Record<string, { post: { responses: Record<string, object> } }>;
  }
  const responses = (document as Responses).paths[PATH]?.post.responses ?? {};
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '413', '429', '503']);
  const { description } = dereferenced(document, responses['403']) ?? {};
  expect(description).toMatch(/`operation_not_allowed`.*`address_not_allowed`/s);
});

test('operators can turn off /_gateway/key/revoke', async () => {
  const settings = { keys: { selfRevoke: false }, trustedProxies: ['127.0.0.1'] };
  const off = await startPortal({ settings });
  try {
    const addresses = ['127.0.0.1'];
    const { key } = await off.admin('POST', '/v1/keys', { name: 'a', owner: 'acme', plan: 'free', addresses });
    const refused = await off.gateway.call(PATH, { key, method: 'POST' });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'operation_not_allowed' }]);
    expect((await off.gateway.call('/pets', { key })).status).toBe(200);
    // The secret can revoke nothing, so calls from other addresses are refused and counted, as for any other path.
    for (const remaining of ['19', '18']) {
      const headers = { 'X-Forwarded-For': ELSEWHERE };
      const elsewhere = await off.gateway.call(PATH, { key, method: 'POST', headers });
      expect([elsewhere.status, await elsewhere.json()]).toMatchObject([403, { code: 'address_not_allowed' }]);
      expect(elsewhere.headers.get('X-RateLimit-Limit')).toBe('20');
      expect(elsewhere.headers.get('X-RateLimit-Remaining')).toBe(remaining);
    }
  } finally {
    await off.stop();
  }
});
