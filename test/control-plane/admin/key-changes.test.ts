import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const wanted = { name: 'Shop', owner: 'acme', plan: 'free' };
const create = async (over: object = {}) => (await admin.post('/v1/keys', { ...wanted, ...over })).body;

describe('changing a key', () => {
  test('changes only the fields in the request', async () => {
    const { key: _, ...before } = await create({ metadata: { a: '1' } });
    const change = { name: 'New', plan: 'pro', status: 'disabled', expiresAt: '2030-01-01T00:00:00Z', metadata: {} };
    const { status, body } = await admin.call('PATCH', `/v1/keys/${before.id}`, {
      json: change,
      headers: { 'X-Change-Reason': 'because' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...change, expiresAt: '2030-01-01T00:00:00.000Z' });
    expect((await admin.patch(`/v1/keys/${before.id}`, { expiresAt: null })).body.expiresAt).toBeNull();
    const { items } = await admin.registry.listAudit({ subject: before.id }, { limit: 10 });
    expect(items[1]).toMatchObject({ action: 'key.update', actor: 'ops', reason: 'because', before: { name: 'Shop' } });
  });

  test('to a custom plan requires limits, and changing it back removes them', async () => {
    const { id } = await create();
    const path = `/v1/keys/${id}`;
    expectError(await admin.patch(path, { plan: 'enterprise' }), 400, 'validation_failed', '/limits');
    const limits = { minute: 7, day: 70 };
    expect((await admin.patch(path, { plan: 'enterprise', limits })).body.limits).toEqual(limits);
    expectError(await admin.patch(path, { limits: { minute: 0, day: 1 } }), 400, 'validation_failed', '/limits/minute');
    expect((await admin.patch(path, { plan: 'free' })).body.limits).toBeNull();
  });

  test.each([
    [{}, ''],
    [{ owner: 'other' }, '/owner'],
    [{ plan: 'gold' }, '/plan'],
    [{ status: 'expired' }, '/status'],
    [{ quotaId: 'key_a' }, '/quotaId'],
    [{ reason: 'because' }, '/reason'],
  ])('with %j is rejected', async (json, path) => {
    const { id } = await create();
    expectError(await admin.patch(`/v1/keys/${id}`, json), 400, 'validation_failed', path);
  });

  test('that is revoked returns 409, but revoking it again returns 204', async () => {
    const { id } = await create();
    const revoked = await admin.delete(`/v1/keys/${id}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect((await admin.get(`/v1/keys/${id}`)).body.status).toBe('revoked');
    expectError(await admin.patch(`/v1/keys/${id}`, { status: 'active' }), 409, 'conflict');
    expect((await admin.delete(`/v1/keys/${id}`)).status).toBe(204);
    const { items } = await admin.registry.listAudit({ subject: id }, { limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
  });

  test('that does not exist returns 404', async () => {
    for (const id of ['key_00000000000000000000', 'a', '%2a', 'x'.repeat(5000)]) {
      expectError(await admin.get(`/v1/keys/${id}`), 404, 'key_not_found');
      expectError(await admin.patch(`/v1/keys/${id}`, { name: 'a' }), 404, 'key_not_found');
      expectError(await admin.delete(`/v1/keys/${id}`), 404, 'key_not_found');
    }
  });

  test('can be made conditional on the version of the key', async () => {
    const created = await admin.post('/v1/keys', wanted);
    const path = `/v1/keys/${created.body.id}`;
    const old = created.headers.get('etag') ?? '';
    const change = (ifMatch: string) =>
      admin.call('PATCH', path, { json: { name: `${Math.random()}` }, headers: { 'If-Match': ifMatch } });

    const changed = await change(`"0", ${old}`);
    expect(changed.status).toBe(200);
    const now = changed.headers.get('etag') ?? '';
    for (const tag of [old, `W/${now}`, '"0"', 'junk']) expectError(await change(tag), 412, 'precondition_failed');
    expectError(await admin.call('DELETE', path, { headers: { 'If-Match': old } }), 412, 'precondition_failed');
    expect((await change('*')).status).toBe(200);
    expectError(
      await admin.call('PATCH', '/v1/keys/none', { json: { name: 'a' }, headers: { 'If-Match': '*' } }),
      404,
      'key_not_found',
    );
    expect((await admin.call('GET', path, { headers: { 'If-None-Match': '*' } })).status).toBe(200);
  });

  test('by two concurrent requests with the same If-Match succeeds once', async () => {
    const created = await admin.post('/v1/keys', wanted);
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const both = ['one', 'two'].map((name) =>
      admin.call('PATCH', `/v1/keys/${created.body.id}`, { json: { name }, headers }),
    );
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses).toHaveLength(2);
    expect(new Set(statuses)).toEqual(new Set([200, 412]));
  });
});
