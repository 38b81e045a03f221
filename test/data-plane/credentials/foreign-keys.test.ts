/** Keys that another gateway created: imported by their SHA-256, and accepted in the formats of `keys.foreign`. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createReadForeignKey, ForeignHashes } from '../../../src/data-plane/credentials/foreign-keys.ts';
import type { Invalidation } from '../../../src/data-plane/boundary-types.ts';
import { runCommand } from '../../support/gateway/cli.ts';
import {
  FAILED_ATTEMPTS,
  importForeignKeys,
  seen,
  sha256,
  startForeignKeyGateway,
} from '../../support/gateway/foreign-key-gateway.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const FORMATS = [
  { header: 'Authorization', scheme: 'Bearer', prefix: 'sk_', minLength: 24 },
  { header: 'X-Old-Key', prefix: 'old_', minLength: 20 },
];

const newSecret = (prefix = 'sk_') => prefix + randomBytes(24).toString('base64url');
const bearer = (secret: string, more: Record<string, string> = {}) => ({
  key: null,
  headers: { authorization: `Bearer ${secret}`, ...more },
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startForeignKeyGateway(FORMATS);
});
afterAll(() => gateway.stop());

const importKeys = (...secrets: readonly string[]) =>
  importForeignKeys(gateway, secrets, (secret) => ({ prefix: secret.slice(0, 7) }));

test('10,000 keys are imported, a second import changes nothing, and calls with the keys are served', async () => {
  const secrets = Array.from({ length: 10_000 }, () => newSecret());
  const lines = secrets.map((secret, index) => {
    return `team ${index % 50},Service ${index},pro,${index},${sha256(secret)},${secret.slice(0, 7)},${secret.slice(-4)}`;
  });
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'old.csv'), ['owner,name,plan,externalId,sha256,prefix,lastFour', ...lines].join('\n'));
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: gateway.adminToken };
  const run = async (...more: string[]) => {
    const { code, out, err } = await runCommand(['keys', 'import', 'old.csv', '--random', ...more], { env, cwd });
    expect([code, err]).toEqual([0, '']);
    return out;
  };
  expect(await run('--dry-run')).toBe('old.csv is valid. Without --dry-run, 10000 keys would be created.\n');
  expect(await run()).toBe('Created 10000 keys.\n');
  const entries = async () => (await (await gateway.admin('/v1/audit?limit=1')).json()) as object;
  const audit = await entries();
  expect(await run()).toBe('Created 0 keys. 10000 keys had been imported before and did not change.\n');
  expect(await entries()).toEqual(audit);

  const called = secrets.filter((_, index) => index % 50 === 0);
  const statuses = await Promise.all(
    called.map(async (secret) => (await gateway.call('/echo', bearer(secret))).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('foreign keys never reach a service or a log', async () => {
  const secret = newSecret();
  const other = newSecret('old_');
  await importKeys(secret, other);
  const more = { referer: `https://a.example/?key=${secret}`, cookie: `a=${secret}; b=1`, 'x-request-id': secret };
  const encoded = Array.from(secret, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const { url, headers } = await seen(gateway.call(`/echo?a=${secret}&b=${encoded}&c=sk_short`, bearer(secret, more)));
  expect(url).toBe('/echo?a=sk_redacted&b=sk_redacted&c=sk_short');
  expect(headers).toMatchObject({ referer: 'https://a.example/?key=sk_redacted', cookie: 'a=sk_redacted; b=1' });
  expect(headers).not.toHaveProperty('authorization');
  const inOther = { key: null, headers: { 'x-old-key': other, x_old_key: other } };
  expect((await seen(gateway.call('/echo', inOther))).headers).not.toHaveProperty('x-old-key');
  expect(await (await gateway.call('/echo', inOther)).text()).not.toContain(other);

  const connection = new RawConnection(gateway.url);
  const lines = [
    'GET /echo HTTP/1.1',
    'Host: x',
    `X-Old-Key: ${other}`,
    ...['a', other, 'b'].map((value) => `X_Old_Key: ${value}`),
  ];
  const repeated = await connection.send(`${lines.join('\r\n')}\r\n\r\n`).readResponse();
  connection.close();
  expect(JSON.parse(repeated.body)).toMatchObject({ headers: { x_old_key: 'a, b' } });
  expect(repeated.body).not.toContain(other);

  const lost = await gateway.call(`/lost/${secret}`, bearer(secret));
  expect(lost.status).toBe(404);
  const log = gateway.logs.join('\n');
  expect(log).toContain('/lost/sk_…');
  for (const each of [secret, other, encoded]) expect(log).not.toContain(each);
});

test('credentials that do not match the formats are forwarded to the service', async () => {
  for (const authorization of [
    'Bearer sk_short',
    'Basic dXNlcjpwYXNzd29yZC1vZi10aGUtdXNlcg==',
    `Bearer ${newSecret('pk_')}`,
  ]) {
    const { headers } = await seen(gateway.call('/echo', { headers: { authorization } }));
    expect(headers['authorization']).toBe(authorization);
  }
  const secret = newSecret();
  await importKeys(secret);
  // This header is not configured for foreign keys.
  expect((await gateway.call('/echo', { key: secret })).status).toBe(401);
});

test('two different keys are rejected as ambiguous, but the same key in two headers is not', async () => {
  const secret = newSecret();
  await importKeys(secret);
  const both = await gateway.call('/echo', { headers: { authorization: `Bearer ${secret}` } });
  expect(await both.json()).toMatchObject({ code: 'key_ambiguous' });
  const same = { authorization: `bearer  ${secret}`, 'x-api-key': secret };
  expect((await gateway.call('/echo', { key: null, headers: same })).status).toBe(200);
});

test('a rotation replaces a foreign key with a Tollgate key', async () => {
  const secret = newSecret();
  await importKeys(secret);
  const list = (await (await gateway.admin('/v1/keys?owner=acme&limit=1')).json()) as { items: { id: string }[] };
  const rotated = await gateway.admin(`/v1/keys/${list.items[0]?.id}/rotate`, { method: 'POST', body: '{}' });
  const { key, externalId } = (await rotated.json()) as { key: string; externalId: null };
  expect([key.slice(0, 8), externalId]).toEqual(['tg_live_', null]);
  for (const call of [bearer(secret), { key }]) expect((await gateway.call('/echo', call)).status).toBe(200);
});

test('above the limit of an address, unknown keys get 429 without a lookup, and known keys are served', async () => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const known = newSecret();
  await importKeys(known);
  const attempt = async () => (await gateway.call('/echo', bearer(newSecret(), from))).status;
  const lookUps = async () => {
    const text = await (await gateway.admin('/metrics')).text();
    return /tollgate_directory_lookups_total\{result="miss"\} (\d+)/.exec(text)?.[1] ?? text;
  };
  for (let count = 0; count < FAILED_ATTEMPTS; count++) expect(await attempt()).toBe(401);
  const before = await lookUps();
  expect([await attempt(), await attempt()]).toEqual([429, 429]);
  expect(await lookUps()).toBe(before);
  // This is the first call with the key, so the key is not cached yet.
  expect((await gateway.call('/echo', bearer(known, from))).status).toBe(200);
});

test('a public operation also refuses an unknown foreign key', async () => {
  const from = { 'x-forwarded-for': '203.0.113.10' };
  expect((await gateway.call('/echo/public', bearer(newSecret(), from))).status).toBe(401);
});

test('a reload changes the accepted formats', async () => {
  const secret = newSecret('zz_');
  await importKeys(secret);
  const call = async () => (await gateway.call('/echo', bearer(secret))).status;
  expect(await call()).toBe(401);
  const file = join(gateway.dataDir, 'gateway.yaml');
  const settings = parse(readFileSync(file, 'utf8')) as object;
  const foreign = [...FORMATS, { header: 'authorization', scheme: 'bearer', prefix: 'zz_' }];
  writeFileSync(file, stringify({ ...settings, keys: { foreign } }));
  await gateway.admin('/v1/config/reload', { method: 'POST' });
  expect(await call()).toBe(200);
});

test('a header that is sent twice, once with a key, is ambiguous', () => {
  const read = createReadForeignKey(FORMATS)!;
  const [one, other] = [newSecret(), newSecret()];
  expect(typeof read(['Authorization', `Bearer ${one}`, 'authorization', 'Basic abc'])).toBe('symbol');
  expect(typeof read(['Authorization', `Bearer ${one}`, 'X-Old-Key', `old_${other}`])).toBe('symbol');
  expect(read(['Host', 'a', 'AUTHORIZATION', `BEARER ${one}`])).toBe(one);
  expect(createReadForeignKey([])).toBeNull();
});

describe('the hashes of foreign keys', () => {
  const stored = ['a', 'b'];
  let announce: (what: Invalidation) => void = () => undefined;
  let hold: Promise<void> = Promise.resolve();
  let fails = false;
  const hashes = new ForeignHashes(
    {
      async listForeignHashes(after) {
        await hold;
        if (fails) throw new Error('the registry is away');
        return stored.slice(after).map((hash, index) => ({ hash, position: after + index + 1 }));
      },
      onInvalidation: (listener) => void (announce = listener),
    },
    () => undefined,
  );
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('treat every key as possibly existing until they have been read', async () => {
    expect(hashes.mayExist('x')).toBe(true);
    await settled();
    expect(['a', 'b', 'x'].map((hash) => hashes.mayExist(hash))).toEqual([true, true, false]);
  });

  test('include a key that is created later, even while they are being read again', async () => {
    announce({ kind: 'key', hash: 'c' });
    expect(hashes.mayExist('c')).toBe(true);
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => (release = resolve));
    announce({ kind: 'all' });
    expect(hashes.mayExist('x')).toBe(true);
    announce({ kind: 'key', hash: 'd' });
    release();
    await settled();
    expect(['a', 'd', 'x'].map((hash) => hashes.mayExist(hash))).toEqual([true, true, false]);
  });

  test('are read again after missed changes, and refuse nothing while that read fails', async () => {
    fails = true;
    announce({ kind: 'all' });
    expect(hashes.mayExist('x')).toBe(true);
    await settled();
    expect(hashes.mayExist('x')).toBe(true);
  });
});
