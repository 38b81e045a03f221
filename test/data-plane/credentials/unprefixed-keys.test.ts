/**
 * Keys of gateways such as Kong (32 letters and digits in `apikey`) or AWS (40 in `x-api-key`) have no prefix. Any request
 * id or token can have their form, so only their header tells that they are keys.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBase62 } from '../../../src/base/secrets.ts';
import { CredentialCache } from '../../../src/data-plane/credentials/credential-cache.ts';
import { createIsForeignKey, createReadForeignKey } from '../../../src/data-plane/credentials/foreign-keys.ts';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { runCommand } from '../../support/gateway/cli.ts';
import {
  FAILED_ATTEMPTS,
  importForeignKeys,
  type Seen,
  seen,
  sha256,
  startForeignKeyGateway,
} from '../../support/gateway/foreign-key-gateway.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const FORMATS = [
  { header: 'apikey', minLength: 32, maxLength: 32 },
  { header: 'X-API-Key', minLength: 40 },
  { header: 'X-Auth', scheme: 'Token', minLength: 24 },
];

const kongKey = () => randomBase62(32);
const withHeaders = (headers: Record<string, string>) => ({ key: null, headers });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startForeignKeyGateway(FORMATS, {
    // Callers of the other gateway sent their keys in this header.
    security: [{ kong: [] }],
    components: { securitySchemes: { kong: { type: 'apiKey', in: 'header', name: 'apikey' } } },
  });
});
afterAll(() => gateway.stop());

const importKeys = (...secrets: readonly string[]) =>
  importForeignKeys(gateway, secrets, (secret) => ({ prefix: secret.slice(0, 4), externalId: sha256(secret) }));

async function lookUps(): Promise<number> {
  const text = await (await gateway.admin('/metrics')).text();
  return Number(/tollgate_directory_lookups_total\{result="miss"\} (\d+)/.exec(text)?.[1]);
}

test('10,000 keys from Kong are imported and served', async () => {
  const secrets = Array.from({ length: 10_000 }, kongKey);
  const lines = secrets.map((secret, index) => {
    return `team ${index % 50},Service ${index},pro,${index},${sha256(secret)},${secret.slice(0, 4)},${secret.slice(-4)}`;
  });
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'kong.csv'), ['owner,name,plan,externalId,sha256,prefix,lastFour', ...lines].join('\n'));
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: gateway.adminToken };
  const { code, out, err } = await runCommand(['keys', 'import', 'kong.csv', '--random'], { env, cwd });
  expect([code, err, out]).toEqual([0, '', 'Created 10000 keys.\n']);

  const called = secrets.filter((_, index) => index % 50 === 0);
  const statuses = await Promise.all(
    called.map(async (apikey) => (await gateway.call('/echo', withHeaders({ apikey }))).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('services never receive the header of an unprefixed key, but everything else reaches them unchanged', async () => {
  const [secret, other, requestId] = [kongKey(), kongKey(), kongKey()];
  await importKeys(secret);
  const more = { authorization: `Bearer ${other}`, 'x-request-id': requestId, referer: `https://a.example/${other}` };
  const response = await gateway.call(
    `/echo?apikey=${other}`,
    withHeaders({ ...more, apikey: secret, cookie: `session=${other}` }),
  );
  const text = await response.text();
  expect(text).not.toContain(secret);
  const { url, headers } = JSON.parse(text) as Seen;
  expect(url).toBe(`/echo?apikey=${other}`);
  expect(headers).toMatchObject({ ...more, cookie: `session=${other}`, 'x-consumer-id': 'acme' });
  expect(response.headers.get('x-request-id')).toBe(requestId);
  expect(gateway.responses().at(-1)).toMatchObject({ requestId });

  expect((await gateway.call(`/lost/${other}`, withHeaders({ apikey: secret }))).status).toBe(404);
  expect(gateway.responses().at(-1)).toMatchObject({ path: `/lost/${other}` });
  expect(gateway.logs.join('\n')).not.toContain(secret);
});

test('the document for consumers does not list the header as a credential', async () => {
  const document = (await (await gateway.call('/_gateway/openapi.json')).json()) as {
    readonly components: { readonly securitySchemes: object };
  };
  expect(document.components.securitySchemes).toEqual({ ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } });
});

test('the header is never forwarded, whatever its value and spelling', async () => {
  const secret = kongKey();
  await importKeys(secret);
  const values = { apikey: 'short', ApiKey: 'with space in it, longer than 32', 'x-auth': 'Basic dXNlcjpwYXNz' };
  for (const [name, value] of Object.entries(values)) {
    const { headers } = await seen(gateway.call('/echo', { headers: { [name]: value, x_auth: value } }));
    expect(Object.keys(headers).filter((each) => /^(?:apikey|x[-_]auth)$/.test(each))).toEqual([]);
  }
});

test('values that do not fit the format are neither hashed nor looked up', async () => {
  const before = await lookUps();
  for (const apikey of [
    'k'.repeat(31),
    'k'.repeat(33),
    `${'k'.repeat(15)} ${'k'.repeat(16)}`,
    `tg_${'k'.repeat(29)}`,
  ]) {
    const response = await gateway.call('/echo', withHeaders({ apikey }));
    expect([response.status, await response.json()]).toEqual([401, expect.objectContaining({ code: 'key_missing' })]);
    expect((await gateway.call('/echo/public', withHeaders({ apikey }))).status).toBe(200);
  }
  // In X-API-Key, everything is a key.
  const response = await gateway.call(
    '/echo',
    withHeaders({ 'x-api-key': 'k'.repeat(39), 'x-forwarded-for': '203.0.113.1' }),
  );
  expect(await response.json()).toMatchObject({ code: 'key_invalid' });
  expect(await lookUps()).toBe(before);
});

test('Tollgate keys and keys from AWS can share a header', async () => {
  const secret = randomBase62(40);
  await importKeys(secret);
  for (const key of [secret, gateway.demoKey]) expect((await gateway.call('/echo', { key })).status).toBe(200);
  const unknown = withHeaders({ 'x-api-key': generateSecret(), 'x-forwarded-for': '203.0.113.2' });
  expect(await (await gateway.call('/echo', unknown)).json()).toMatchObject({ code: 'key_invalid' });
});

test('two different keys are rejected as ambiguous', async () => {
  const headers = { apikey: kongKey(), 'x-api-key': gateway.demoKey };
  expect(await (await gateway.call('/echo', withHeaders(headers))).json()).toMatchObject({ code: 'key_ambiguous' });
  const connection = new RawConnection(gateway.url);
  const lines = ['GET /echo HTTP/1.1', 'Host: x', `apikey: ${kongKey()}`, 'APIKEY: short'];
  const { body } = await connection.send(`${lines.join('\r\n')}\r\n\r\n`).readResponse();
  connection.close();
  expect(JSON.parse(body)).toMatchObject({ code: 'key_ambiguous' });
});

test('above the limit of an address, unknown keys get 429 without a lookup, and known keys are served', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const known = kongKey();
  await importKeys(known);
  const attempt = async () => (await gateway.call('/echo', withHeaders({ apikey: kongKey(), ...from }))).status;
  for (let count = 0; count < FAILED_ATTEMPTS; count++) expect(await attempt()).toBe(401);
  const before = await lookUps();
  const statuses = await Promise.all(Array.from({ length: 200 }, attempt));
  expect([new Set(statuses), await lookUps()]).toEqual([new Set([429]), before]);
  expect((await gateway.call('/echo', withHeaders({ apikey: known, ...from }))).status).toBe(200);
});

test('the cache of unknown keys is bounded, and junk does not evict known keys', async () => {
  let asked = 0;
  const credential = { keyId: 'key_1' };
  const cache = new CredentialCache(
    {
      findCredential: async (hash) => {
        asked++;
        return hash === 'known' ? (credential as never) : null;
      },
      touchKeys: async () => undefined,
      reportUses: async () => undefined,
      onInvalidation: () => undefined,
      heardUntil: () => Infinity,
    },
    () => undefined,
    { maxUnknown: 100, clock: () => 0 },
  );
  await cache.askRegistry('known', 'secret');
  for (let count = 0; count < 1000; count++)
    expect(await cache.askRegistry(`junk ${count}`, 'secret', 'address')).toBeNull();
  expect([
    cache.findCached('known', 'secret'),
    cache.findCached('junk 0', 'secret'),
    cache.findCached('junk 999', 'secret'),
  ]).toEqual([credential, undefined, null]);
  expect(asked).toBe(1001);
  await cache.close();
});

describe('a format without a prefix', () => {
  const read = createReadForeignKey(FORMATS)!;
  const isKey = createIsForeignKey(FORMATS);

  test.each([
    ['apikey', 'k'.repeat(32), true],
    ['apikey', '!'.repeat(16) + '~'.repeat(16), true],
    ['apikey', randomUUID().replaceAll('-', ''), true],
    ['apikey', `${'k'.repeat(31)}\xe9`, false],
    ['apikey', `${'k'.repeat(31)}\t`, false],
    ['apikey', `tg_${'k'.repeat(29)}`, false],
    ['X-API-Key', 'k'.repeat(256), true],
    ['X-API-Key', 'k'.repeat(257), false],
    ['X-API-Key', generateSecret(), false],
    ['X-Auth', `token ${'k'.repeat(24)}`, true],
    ['X-Auth', 'k'.repeat(30), false],
    ['X-Auth', `Token tg_${'k'.repeat(24)}`, false],
    ['Authorization', `Bearer ${'k'.repeat(32)}`, false],
  ])('reads the header %s with the value %s as a key: %s', (name, value, expected) => {
    expect(read([name, value]) !== null).toBe(expected);
  });

  test('recognizes a text as a key by its length and characters', () => {
    const texts = ['k'.repeat(23), 'k'.repeat(24), 'k'.repeat(257), `tg_${'k'.repeat(32)}`, `${'k'.repeat(24)} k`];
    expect(texts.map(isKey)).toEqual([false, true, false, false, false]);
  });
});

test('a format with a prefix can have a maximum length', () => {
  const read = createReadForeignKey([{ header: 'X-Key', prefix: 'sk_', minLength: 24, maxLength: 30 }])!;
  expect([23, 24, 30, 31].map((length) => read(['X-Key', 'sk_'.padEnd(length, 'x')]) !== null)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
