import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../src/domain/key-format.ts';
import { addCounts } from '../../support/history/counts.ts';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const create = async (over: object = {}) =>
  (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free', ...over })).body;

test('a rotation creates a key with a new id and secret, and the old key works for another day', async () => {
  const old = await create({ metadata: { a: 'b' } });
  const { status, body, headers } = await admin.call('POST', `/v1/keys/${old.id}/rotate`);
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`/v1/keys/${body.id}`);
  expect(await admin.registry.findCredential(hashSecret(body.key))).toMatchObject({ keyId: body.id });
  const { key, id, prefix, lastFour, ...inherited } = body;
  expect(id).not.toBe(old.id);
  expect([key === old.key, key.startsWith(prefix), key.endsWith(lastFour)]).toEqual([false, true, true]);
  const { key: _key, id: _id, prefix: _prefix, lastFour: _lastFour, ...same } = old;
  expect(inherited).toEqual(same);
  expect((await admin.get(`/v1/keys/${old.id}`)).body).toMatchObject({
    rotatedTo: id,
    expiresAt: '2026-06-16T12:00:00.000Z',
  });
});

test('a rotation with a grace period of 0 ends the old key immediately', async () => {
  const { id } = await create();
  await admin.call('POST', `/v1/keys/${id}/rotate`, {
    json: { graceSeconds: 0 },
    headers: { 'X-Change-Reason': 'leak' },
  });
  expect((await admin.get(`/v1/keys/${id}`)).body.expiresAt).toBe('2026-06-15T12:00:00.000Z');
  const { items } = (await admin.get(`/v1/audit?subject=${id}`)).body;
  expect(items[0]).toMatchObject({ action: 'key.rotate', actor: 'ops', reason: 'leak' });
});

test('a key can be rotated only once, and only while it is active', async () => {
  const { id } = await create();
  const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
  expectError(await admin.post(`/v1/keys/${id}/rotate`, {}), 409, 'conflict');
  await admin.delete(`/v1/keys/${next.id}`);
  expectError(await admin.post(`/v1/keys/${next.id}/rotate`, {}), 409, 'conflict');
  expectError(await admin.post('/v1/keys/none/rotate', {}), 404, 'key_not_found');
});

test.each([-1, 1.5, '60', null, 31_536_001])('a grace period of %j seconds is rejected', async (graceSeconds) => {
  const { id } = await create();
  const response = await admin.post(`/v1/keys/${id}/rotate`, { graceSeconds });
  expectError(response, 400, 'validation_failed', '/graceSeconds');
});

test('a change to the newest key applies to the keys it replaced, and with chain=true, to all keys of the chain', async () => {
  const old = await create();
  const next = (await admin.post(`/v1/keys/${old.id}/rotate`, {})).body;
  const shown = async (id: string) => (await admin.get(`/v1/keys/${id}`)).body;
  expect((await admin.patch(`/v1/keys/${next.id}`, { plan: 'pro' })).status).toBe(200);
  expect(await shown(old.id)).toMatchObject({ plan: 'pro' });
  expectError(await admin.patch(`/v1/keys/${old.id}`, { plan: 'free' }), 409, 'conflict');
  expect((await admin.patch(`/v1/keys/${old.id}?chain=true`, { status: 'disabled' })).status).toBe(200);
  expect(await shown(next.id)).toMatchObject({ status: 'disabled' });
  expectError(
    await admin.patch(`/v1/keys/${old.id}?chain=yes`, { name: 'b' }),
    400,
    'validation_failed',
    '/query/chain',
  );
  expect((await admin.delete(`/v1/keys/${next.id}`)).status).toBe(204);
  expect(await shown(old.id)).toMatchObject({ status: 'revoked' });

  const other = await create();
  const third = (await admin.post(`/v1/keys/${other.id}/rotate`, {})).body;
  expect((await admin.delete(`/v1/keys/${other.id}`)).status).toBe(204);
  expect(await shown(third.id)).toMatchObject({ status: 'active' });
  expect((await admin.delete(`/v1/keys/${other.id}?chain=true`)).status).toBe(204);
  expect(await shown(third.id)).toMatchObject({ status: 'revoked' });
});

test('with graceUntil=quiet, a rotation keeps the old key for longer and shows how it is still used', async () => {
  const old = await create();
  const { status, body: next } = await admin.post(`/v1/keys/${old.id}/rotate`, { graceUntil: 'quiet' });
  expect([status, next.grace, next.expiresAt]).toEqual([201, null, null]);
  const usedAt = admin.time.now + 60_000;
  const minute = usedAt - (usedAt % 60_000);
  await admin.registry.touchKeys(new Map([[old.id, usedAt]]), new Map([[old.id, '203.0.113.0/24']]));
  await addCounts(
    admin.history,
    { minute: minute - 86_400_000, keyId: old.id, requests: 7 },
    { minute, keyId: old.id, requests: 3 },
  );
  admin.time.now += 3_600_000;
  const grace = { until: 'quiet', since: '2026-06-15T12:00:00.000Z', lastUsedFrom: '203.0.113.0/24', callsLastDay: 3 };
  const uses = { expiresAt: '2026-07-15T12:00:00.000Z', lastUsedAt: '2026-06-15T12:01:00.000Z', grace };
  const shown = (await admin.get(`/v1/keys/${old.id}`)).body;
  expect(shown).toMatchObject({ ...uses, rotatedTo: next.id });
  expect(shown).not.toHaveProperty('replaced');
  const { id, prefix, lastFour } = old;
  expect((await admin.get(`/v1/keys/${next.id}`)).body).toMatchObject({
    grace: null,
    replaced: [{ id, prefix, lastFour, ...uses }],
  });
  const listed = (await admin.get(`/v1/keys?owner=acme&limit=2`)).body.items;
  const { callsLastDay, ...uncounted } = grace;
  expect(listed).toMatchObject([
    { id: next.id, grace: null },
    { id: old.id, grace: uncounted },
  ]);
  const [entry] = (await admin.get(`/v1/audit?subject=${old.id}`)).body.items;
  expect(entry).toMatchObject({
    action: 'key.rotate',
    before: { quietSince: null },
    after: { quietSince: '2026-06-15T12:00:00.000Z', expiresAt: '2026-07-15T12:00:00.000Z' },
  });
  expectError(await admin.post(`/v1/keys/${old.id}/rotate`, { graceUntil: 'quiet' }), 409, 'conflict');
  admin.time.now -= 3_600_000;
});

test.each([
  [{ graceUntil: 'quiet', graceSeconds: 60 }, '/graceUntil'],
  [{ graceUntil: 'used' }, '/graceUntil'],
  [{ graceUntil: null }, '/graceUntil'],
])('a rotation with %j is rejected', async (body, path) => {
  const { id } = await create();
  expectError(await admin.post(`/v1/keys/${id}/rotate`, body), 400, 'validation_failed', path);
  expect((await admin.get(`/v1/keys/${id}`)).body.rotatedTo).toBeNull();
});
