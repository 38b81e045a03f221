import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret, isWellFormed } from '../../../src/domain/key-format.ts';
import { expectError, NOW, startAdmin, TOKEN, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const wanted = { name: 'Shop', owner: 'acme', plan: 'free' };
const create = async (over: object = {}) => (await admin.post('/v1/keys', { ...wanted, ...over })).body;

describe('creating a key', () => {
  test('returns all fields, and the secret, which is not returned again', async () => {
    const { status, body, headers } = await admin.post('/v1/keys', wanted);
    expect(status).toBe(201);
    const { key: secret, ...shown } = body;
    expect(isWellFormed(secret)).toBe(true);
    expect(shown).toEqual({
      ...wanted,
      id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
      limits: null,
      concurrent: null,
      externalId: null,
      operations: null,
      addresses: null,
      validation: null,
      kind: 'secret',
      token: null,
      prefix: secret.slice(0, 12),
      lastFour: secret.slice(-4),
      status: 'active',
      metadata: {},
      createdAt: '2026-06-15T12:00:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
      quotaId: body.id,
      rotatedTo: null,
      grace: null,
    });
    expect(headers.get('location')).toBe(`/v1/keys/${body.id}`);
    const read = await admin.get(headers.get('location') ?? '');
    expect([read.status, read.body]).toEqual([200, { ...shown, account: null }]);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect(await admin.registry.findCredential(hashSecret(secret))).toMatchObject({ keyId: body.id });
  });

  test('on a custom plan accepts limits, an expiry and metadata', async () => {
    const over = { plan: 'enterprise', limits: { minute: 5, day: 9 }, metadata: { team: 'a', constructor: 'b' } };
    const key = await create({ ...over, expiresAt: '2026-06-15T14:00:00+01:00' });
    expect(key).toMatchObject({ ...over, expiresAt: '2026-06-15T13:00:00.000Z' });
  });

  test('is in the audit log with actor and reason', async () => {
    const headers = { 'X-Change-Reason': 'contract 42' };
    const { body } = await admin.call('POST', '/v1/keys', { json: wanted, headers });
    const { items } = await admin.registry.listAudit({ subject: body.id }, { limit: 10 });
    expect(items).toEqual([expect.objectContaining({ actor: 'ops', reason: 'contract 42', action: 'key.create' })]);
  });

  test.each([
    ['an unknown field', { ...wanted, admin: true }, '/admin'],
    ['__proto__', JSON.parse(JSON.stringify(wanted).replace('{', '{"__proto__":{},')), '/__proto__'],
    ['no owner', { name: 'a', plan: 'free' }, '/owner'],
    ['a name of the wrong type', { ...wanted, name: 7 }, '/name'],
    ['a blank name', { ...wanted, name: '  ' }, '/name'],
    ['a name with a line break', { ...wanted, name: 'a\nb' }, '/name'],
    ['a name that is too long', { ...wanted, name: 'n'.repeat(129) }, '/name'],
    ['an empty owner', { ...wanted, owner: '' }, '/owner'],
    ['an owner that is not ASCII', { ...wanted, owner: 'café' }, '/owner'],
    ['an owner that is too long', { ...wanted, owner: 'o'.repeat(161) }, '/owner'],
    ['an unknown plan', { ...wanted, plan: 'gold' }, '/plan'],
    ['no plan', { ...wanted, plan: null }, '/plan'],
    ['limits on a plan with limits', { ...wanted, limits: { minute: 1, day: 1 } }, '/limits'],
    ['a custom plan without limits', { ...wanted, plan: 'enterprise' }, '/limits'],
    ['an expiry in the past', { ...wanted, expiresAt: '2026-06-15T12:00:00Z' }, '/expiresAt'],
    ['an invalid expiry', { ...wanted, expiresAt: 'tomorrow' }, '/expiresAt'],
    ['an expiry on a day that does not exist', { ...wanted, expiresAt: '2027-02-30T00:00:00Z' }, '/expiresAt'],
    ['an expiry without an offset', { ...wanted, expiresAt: '2027-02-03T00:00:00' }, '/expiresAt'],
    ['an expiry as a number', { ...wanted, expiresAt: NOW + 1000 }, '/expiresAt'],
    ['metadata that is not text', { ...wanted, metadata: { a: 1 } }, '/metadata/a'],
    ['a status', { ...wanted, status: 'revoked' }, '/status'],
    ['a list', [wanted], ''],
    ['text', 'a', ''],
    ['null', null, ''],
  ])('with %s is rejected, and the error names the field', async (_, json, ...paths) => {
    const before = (await admin.get('/v1/keys?limit=1')).text;
    expectError(await admin.post('/v1/keys', json), 400, 'validation_failed', ...paths);
    expect((await admin.get('/v1/keys?limit=1')).text).toBe(before);
  });

  test.each(['0', '-1', '1.5', '"5"', 'null', '1e21', '9007199254740992', 'true', '[]'])(
    'with a limit of %s is rejected',
    async (text) => {
      for (const field of ['minute', 'day']) {
        const limits = { minute: 5, day: 9, [field]: 'HERE' };
        const raw = JSON.stringify({ ...wanted, plan: 'enterprise', limits }).replace('"HERE"', text);
        const response = await admin.call('POST', '/v1/keys', { raw });
        expectError(response, 400, 'validation_failed', `/limits/${field}`);
      }
    },
  );

  test('on a custom plan is rejected without complete limits, or with a day limit below the minute limit', async () => {
    for (const [limits, path] of [
      [{ minute: 10, day: 9 }, '/limits'],
      [{ minute: 10 }, '/limits/day'],
      [{ minute: 10, day: 10, hour: 10 }, '/limits/hour'],
      [null, '/limits'],
      [7, '/limits'],
    ] as const) {
      const response = await admin.post('/v1/keys', { ...wanted, plan: 'enterprise', limits });
      expectError(response, 400, 'validation_failed', path);
    }
  });

  test('reports several errors together', async () => {
    const response = await admin.post('/v1/keys', { name: '', plan: 3, extra: 1 });
    expect(response.body.details.map((one: { path: string }) => one.path).toSorted()).toEqual([
      '/extra',
      '/name',
      '/owner',
      '/plan',
    ]);
  });
});

test('a secret appears only in the response that created it', async () => {
  const secret: string = (await create()).key;
  await admin.get(`/v1/keys/${secret}`);
  await admin.get(`/v1/keys?owner=${secret}`);
  await admin.get(`/v1/${secret}?${secret}=1`);
  for (const json of [
    { ...wanted, [secret]: 1 },
    { ...wanted, name: secret },
    { ...wanted, metadata: { a: secret } },
  ]) {
    const response = await admin.post('/v1/keys', json);
    expect(response.status).toBe(400);
    expect(response.text).not.toContain(secret);
  }
  expect((await admin.call('POST', '/v1/keys', { raw: `{"key": "${secret}"` })).text).not.toContain(secret);
  expect((await admin.get('/v1/keys')).text).not.toContain(hashSecret(secret));
  const files = readdirSync(admin.folder).map((file) => readFileSync(join(admin.folder, file), 'latin1'));
  for (const text of [...files, ...admin.logs]) {
    expect(text.includes(secret)).toBe(false);
    expect(text.includes(TOKEN)).toBe(false);
  }
});
