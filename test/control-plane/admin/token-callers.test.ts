/** Operators add, list, change and forget callers with access tokens in the admin API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

const issuers = [
  { name: 'corp', issuer: 'https://login.example.com', caller: ['azp', 'sub'] },
  { name: 'lab', issuer: 'https://lab.example.com', caller: ['sub'], plan: 'pro' },
];

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ tokenIssuers: issuers });
});
afterAll(() => admin.stop());

const add = (caller: string, over: object = {}) =>
  admin.post('/v1/keys', { kind: 'token', token: { name: 'corp', caller }, ...over });

describe('adding a caller', () => {
  test('gives the caller an owner, a plan and a name, but no secret', async () => {
    const { status, body } = await add('app-1');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'token',
      token: { name: 'corp', caller: 'app-1', claim: 'azp' },
      owner: 'corp:app-1',
      name: 'app-1',
      plan: 'free',
      prefix: '',
      lastFour: '',
      quotaId: body.id,
    });
    expect(body).not.toHaveProperty('key');
    expectError(await add('app-1'), 409, 'conflict');
    const other = await add('app-1', { token: { name: 'lab', caller: 'app-1' } });
    expect(other.body).toMatchObject({ plan: 'pro', owner: 'lab:app-1' });
  });

  test('with the owner of an account makes the caller share the quota of the account', async () => {
    const account = await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme', plan: 'pro' });
    const { body } = await add('app-2', { owner: 'acme' });
    expect(body).toMatchObject({ owner: 'acme', plan: 'pro', quotaId: account.body.id });
  });

  test('is rejected if the request is invalid, and the error names the field', async () => {
    expectError(await admin.post('/v1/keys', { kind: 'token' }), 400, 'validation_failed', '/token');
    expectError(await add('x', { token: { name: 'crop', caller: 'x' } }), 400, 'validation_failed', '/token/name');
    expectError(await add('x', { token: { name: 'corp', caller: 'x', claim: 'iss' } }), 400, 'validation_failed');
    for (const caller of ['', 'é', 'a ', 'a'.repeat(121)]) {
      expectError(await add(caller), 400, 'validation_failed', '/token/caller');
    }
    const secret = { sha256: 'a'.repeat(64), prefix: 'abc', lastFour: 'wxyz', random: true };
    expectError(await add('x', secret), 400, 'validation_failed', '/sha256');
    const key = { name: 'a', owner: 'acme', plan: 'free', token: { name: 'corp', caller: 'x' } };
    expectError(await admin.post('/v1/keys', key), 400, 'validation_failed', '/token');
    expectError(await add('x', { owner: 'lab:y' }), 400, 'validation_failed', '/owner');
  });
});

test('an owner name that is reserved for callers of an issuer is rejected for keys and accounts', async () => {
  const key = { name: 'a', owner: 'corp:app-9', plan: 'free' };
  expectError(await admin.post('/v1/keys', key), 400, 'validation_failed', '/owner');
  expectError(await admin.post('/v1/keys/import', { keys: [key] }), 400, 'validation_failed', '/keys/0/owner');
  const account = { owner: 'lab:app-9', name: 'a', plan: 'free' };
  expectError(await admin.post('/v1/accounts', account), 400, 'validation_failed', '/owner');
  expect((await admin.post('/v1/keys', { ...key, owner: 'other:app-9' })).status).toBe(201);
});

test('keys can be filtered by kind', async () => {
  const list = async (kind: string) => (await admin.get(`/v1/keys?kind=${kind}`)).body.items;
  const key = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body.id;
  const caller = (await add('app-3')).body.id;
  const listIds = async (kind: string) => (await list(kind)).map(({ id }: { id: string }) => id);
  expect(await listIds('token')).toContain(caller);
  expect(await listIds('token')).not.toContain(key);
  expect(await listIds('secret')).toContain(key);
  expect(await listIds('secret')).not.toContain(caller);
  expect(await listIds('foreign')).toEqual([]);
});

test('callers can be listed and changed together by the name of their issuer', async () => {
  const listIds = async (query: string) => (await admin.get(`/v1/keys?${query}`)).body.items.map(({ id }: Id) => id);
  const corp = (await add('app-5')).body.id;
  const lab = (await add('app-5', { token: { name: 'lab', caller: 'app-5' } })).body.id;
  expect(await listIds('token=corp&limit=1')).toEqual([corp]);
  expect(await listIds('token=lab&kind=token&limit=1')).toEqual([lab]);
  expect(await listIds('token=corp&kind=secret')).toEqual([]);
  expect((await admin.get('/v1/keys?token=lab&limit=1')).body.total).toBeGreaterThan(0);
  const unknownName = await admin.get('/v1/keys?token=crop');
  expectError(unknownName, 400, 'validation_failed', '/query/token');
  expect(unknownName.text).toContain('did you mean corp?');

  const filter = { token: 'lab', q: 'app-5' };
  const preview = (await admin.post('/v1/keys/bulk', { action: 'disable', filter, preview: true })).body;
  expect(preview.sample.map(({ id }: Id) => id)).toEqual([lab]);
  const { digest } = preview;
  const done = await admin.post('/v1/keys/bulk', { action: 'disable', filter, digest });
  expect(done.body).toMatchObject({ changed: 1, finished: true });
  const other = { action: 'disable', filter: { ...filter, token: 'corp' }, digest };
  expectError(await admin.post('/v1/keys/bulk', other), 409, 'conflict');
  const unknown = { action: 'disable', filter: { token: 'crop' }, preview: true };
  expectError(await admin.post('/v1/keys/bulk', unknown), 400, 'validation_failed', '/filter/token');
});

test('callers of an issuer that is no longer configured can be listed by its last name', async () => {
  const { id } = (await add('app-6', { token: { name: 'lab', caller: 'app-6' } })).body;
  const before = await startAdmin({ tokenIssuers: [issuers[0]!], registry: admin.registry });
  try {
    const { items } = (await before.get('/v1/keys?token=lab&limit=1')).body;
    expect(items.map((key: Id) => key.id)).toEqual([id]);
    const filter = { token: 'lab', q: 'app-6' };
    const preview = await before.post('/v1/keys/bulk', { action: 'revoke', filter, preview: true });
    expect(preview.body).toMatchObject({ keys: 1 });
  } finally {
    await before.stop();
  }
});

interface Id {
  readonly id: string;
}

test('a caller can be changed, banned and revoked like a key, but not rotated', async () => {
  const { id } = (await add('app-4')).body;
  const terms = { concurrent: 2, addresses: ['192.0.2.0/24'], plan: 'enterprise', limits: { minute: 5, day: 50 } };
  expect((await admin.call('PATCH', `/v1/keys/${id}`, { json: terms })).body).toMatchObject(terms);
  const ban = await admin.call('PUT', `/v1/keys/${id}/ban`, { json: { seconds: 60, reason: 'test' } });
  expect(ban.status).toBe(200);
  expectError(await admin.post(`/v1/keys/${id}/rotate`, {}), 409, 'conflict');
  expect((await admin.call('DELETE', `/v1/keys/${id}`)).status).toBe(204);
});

test('a caller can be forgotten, and a key cannot', async () => {
  const { id } = (await add('alice@example.com')).body;
  await admin.call('PUT', `/v1/keys/${id}/ban`, { json: { seconds: 60, reason: 'alice was here' } });
  expect((await admin.call('POST', `/v1/keys/${id}/forget`)).status).toBe(204);
  expectError(await admin.get(`/v1/keys/${id}`), 404, 'key_not_found');
  const audit = JSON.stringify((await admin.get('/v1/audit?limit=100')).body);
  expect(audit).not.toContain('alice');
  expect(audit).toContain('key.forget');
  expect(JSON.stringify((await admin.get('/v1/events?limit=100')).body)).not.toContain('alice');
  const key = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body.id;
  expectError(await admin.call('POST', `/v1/keys/${key}/forget`), 409, 'conflict');
});
