import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Admin, expectError, NOW, PORTAL_URL, startAdmin, VIEWER } from '../../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

let owner: string;
beforeEach(() => {
  owner = `owner ${Math.random()}`;
});

const accountBody = (over: object = {}) => ({ owner, name: 'Acme', plan: 'free', ...over });
// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
const create = async (over: object = {}): Promise<any> => (await admin.post('/v1/accounts', accountBody(over))).body;

test('an account can be created, read, changed and deleted', async () => {
  const created = await admin.post('/v1/accounts', accountBody({ email: 'Ann@Acme.example' }));
  const { id } = created.body;
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/v1/accounts/${id}`);
  expect(created.body).toEqual({
    id,
    owner,
    name: 'Acme',
    email: 'ann@acme.example',
    status: 'active',
    plan: 'free',
    quotaId: id,
    createdAt: new Date(NOW).toISOString(),
    lastSignInAt: null,
  });
  const read = await admin.get(`/v1/accounts/${id}`);
  expect([read.body, read.headers.get('etag')]).toEqual([created.body, created.headers.get('etag')]);
  const changed = await admin.patch(`/v1/accounts/${id}`, { plan: 'pro', email: null });
  expect([changed.status, changed.body]).toEqual([200, { ...created.body, plan: 'pro', email: null }]);
  expect((await admin.delete(`/v1/accounts/${id}`)).status).toBe(204);
  expectError(await admin.get(`/v1/accounts/${id}`), 404, 'account_not_found');
});

test('If-Match rejects a change if the account has changed', async () => {
  const { id } = await create();
  const { headers } = await admin.get(`/v1/accounts/${id}`);
  const send = (method: string, json?: object) =>
    admin.call(method, `/v1/accounts/${id}`, { json, headers: { 'If-Match': headers.get('etag')! } });
  expect((await send('PATCH', { name: 'Acme' })).status).toBe(200);
  expect((await send('PATCH', { name: 'ACME' })).status).toBe(200);
  expectError(await send('PATCH', { name: 'X' }), 412, 'precondition_failed');
  expectError(await send('DELETE'), 412, 'precondition_failed');
});

test('invalid requests are rejected, and the error names the reason', async () => {
  const { id } = await create({ email: `${Math.random()}@acme.example` });
  expectError(await admin.post('/v1/accounts', accountBody()), 409, 'owner_taken');
  const { email } = (await admin.get(`/v1/accounts/${id}`)).body;
  expectError(await admin.post('/v1/accounts', accountBody({ owner: 'another', email })), 409, 'email_taken');
  const refused = (json: object, ...paths: string[]) =>
    admin.post('/v1/accounts', json).then((response) => expectError(response, 400, 'validation_failed', ...paths));
  await refused({}, '/owner', '/name', '/plan');
  await refused(accountBody({ owner: 'new', plan: 'none' }), '/plan');
  await refused(accountBody({ owner: 'new', plan: 'enterprise' }), '/plan');
  await refused(accountBody({ email: 'no address' }), '/email');
  await refused(accountBody({ email: '\u212aim@acme.example' }), '/email');
  await refused(accountBody({ owner: 'Ünïcode', status: 'active' }), '/status', '/owner');
  expectError(await admin.patch(`/v1/accounts/${id}`, { plan: 'none' }), 400, 'validation_failed', '/plan');
  expectError(await admin.patch(`/v1/accounts/${id}`, { owner: 'x' }), 400, 'validation_failed', '/owner');
  expectError(await admin.patch(`/v1/accounts/${id}`, { status: 'deleted' }), 400, 'validation_failed', '/status');
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const json = method === 'PATCH' ? { name: 'x' } : undefined;
    expectError(await admin.call(method, '/v1/accounts/acc_none', { json }), 404, 'account_not_found');
  }
});

test('accounts are listed in pages and can be searched', async () => {
  const mark = `mark${Math.random()}`;
  const ids: string[] = [];
  for (const each of ['a', 'b', 'c']) ids.unshift((await create({ owner: `${mark} ${each}` })).id);
  const first = (await admin.get(`/v1/accounts?q=${mark}&limit=2`)).body;
  const second = (await admin.get(`/v1/accounts?q=${mark}&limit=2&cursor=${first.nextCursor}`)).body;
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.nextCursor).toBeNull();
  await admin.patch(`/v1/accounts/${ids[1]}`, { status: 'disabled' });
  expect((await admin.get(`/v1/accounts?q=${mark}&status=disabled`)).body.items).toHaveLength(1);
  const ofOwner = (await admin.get(`/v1/accounts?owner=${encodeURIComponent(`${mark} b`)}`)).body.items;
  expect(ofOwner.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  expectError(await admin.get('/v1/accounts?owner=nobody'), 400, 'validation_failed', '/query/owner');
  expectError(await admin.get('/v1/accounts?status=gone'), 400, 'validation_failed', '/query/status');
  const sorted = (await admin.get(`/v1/accounts?q=${mark}&sort=-owner`)).body.items;
  expect(sorted.map(({ id }: { id: string }) => id)).toEqual(ids);
  expectError(await admin.get('/v1/accounts?sort=quota'), 400, 'validation_failed', '/query/sort');
  expectError(await admin.get('/v1/accounts?cursor=junk'), 400, 'validation_failed', '/query/cursor');
});

test('a sign-in link leads to the portal and has its token in the fragment, and the token is not logged', async () => {
  const { id } = await create();
  const created = await admin.call('POST', `/v1/accounts/${id}/sign-in-link`);
  expect(created.status).toBe(201);
  expect(created.body.expiresAt).toBe(new Date(NOW + 15 * 60_000).toISOString());
  const token = created.body.url.slice(`${PORTAL_URL}#token=`.length);
  expect(created.body.url).toBe(`${PORTAL_URL}#token=${token}`);
  expect(await admin.accounts.spendLink(token, NOW)).toMatchObject({ id });

  const invitation = await admin.post(`/v1/accounts/${id}/sign-in-link`, { seconds: 604_800 });
  expect(invitation.body.expiresAt).toBe(new Date(NOW + 7 * 86_400_000).toISOString());
  const tooLong = await admin.post(`/v1/accounts/${id}/sign-in-link`, { seconds: 604_801 });
  expectError(tooLong, 400, 'validation_failed', '/seconds');
  expectError(await admin.post('/v1/accounts/acc_none/sign-in-link', {}), 404, 'account_not_found');
  await admin.patch(`/v1/accounts/${id}`, { status: 'disabled' });
  expectError(await admin.post(`/v1/accounts/${id}/sign-in-link`, {}), 409, 'conflict');

  const { items } = (await admin.get(`/v1/audit?subject=${id}`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toContain('account.link');
  expect(admin.logs.length).toBeGreaterThan(0);
  expect(admin.logs.join('')).not.toContain(token);
  expect(JSON.stringify(items)).not.toContain(token);
});

test('without a portal, sign-in links cannot be created', async () => {
  const withoutPortal = await startAdmin({ portalUrl: () => null });
  const { id } = (await withoutPortal.post('/v1/accounts', accountBody())).body;
  expectError(await withoutPortal.post(`/v1/accounts/${id}/sign-in-link`, {}), 404, 'route_not_found');
  await withoutPortal.stop();
});

test('deleting an account revokes its keys, and the audit log has the reason for both changes', async () => {
  const { id } = await create();
  const change = { actor: id, reason: null, at: NOW };
  const { key } = await admin.accounts.createKey(id, { name: 'Shop' }, { maxKeys: 5 }, change);
  const headers = { 'X-Change-Reason': 'the contract ended' };
  expect((await admin.call('DELETE', `/v1/accounts/${id}`, { headers })).status).toBe(204);
  expect((await admin.get(`/v1/keys/${key.id}`)).body).toMatchObject({ status: 'revoked', quotaId: id });
  for (const subject of [id, key.id]) {
    const [entry] = (await admin.get(`/v1/audit?subject=${subject}`)).body.items;
    expect(entry).toMatchObject({ actor: 'ops', reason: 'the contract ended' });
  }
});

test('a viewer can read accounts but not change them', async () => {
  const { id } = await create();
  const call = (method: string, path: string, json?: object) => admin.call(method, path, { json, token: VIEWER });
  expect((await call('GET', '/v1/accounts')).status).toBe(200);
  expect((await call('GET', `/v1/accounts/${id}`)).status).toBe(200);
  expectError(await call('POST', '/v1/accounts', accountBody()), 403, 'forbidden');
  expectError(await call('PATCH', `/v1/accounts/${id}`, { name: 'x' }), 403, 'forbidden');
  expectError(await call('DELETE', `/v1/accounts/${id}`), 403, 'forbidden');
  expectError(await call('POST', `/v1/accounts/${id}/sign-in-link`, {}), 403, 'forbidden');
});
