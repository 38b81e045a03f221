import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../src/base/key-format.ts';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const keys = (count: number, owner: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `key ${index}`, owner, plan: 'free' }));

test('many keys are created together, each with its secret, in order', async () => {
  const custom = { name: 'own', owner: 'bulk', plan: 'enterprise', limits: { minute: 1, day: 2 } };
  const wanted = [...keys(999, 'bulk'), custom];
  const { status, body } = await admin.post('/v1/keys/import', { keys: wanted });
  expect(status).toBe(201);
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(wanted.map(({ name }) => name));
  expect(body.items.at(-1)).toMatchObject(custom);
  const { key, ...shown } = body.items[500];
  expect((await admin.get(`/v1/keys/${shown.id}`)).body).toEqual(shown);
  expect(await admin.registry.findKeyByHash(hashSecret(key))).toMatchObject({ key: { id: shown.id } });
});

test('all keys are created or none, and errors name the key', async () => {
  const good = keys(3, 'refused');
  const wrong = [
    { ...good[0], plan: 'gold' },
    { ...good[1], limits: { minute: 1, day: 1 } },
    { ...good[2], expiresAt: '2020-01-01T00:00:00Z' },
  ];
  const answer = await admin.post('/v1/keys/import', { keys: [...good, ...wrong] });
  expectError(answer, 400, 'validation_failed', '/keys/3/plan', '/keys/4/limits', '/keys/5/expiresAt');
  const unknown = await admin.post('/v1/keys/import', { keys: [...good, { ...good[0], secret: 'a' }] });
  expectError(unknown, 400, 'validation_failed', '/keys/3/secret');
  expectError(await admin.get('/v1/keys?owner=refused'), 400, 'validation_failed', '/query/owner');
});

test('a dry run creates nothing and lists existing keys', async () => {
  const { body } = await admin.post('/v1/keys/import', { keys: keys(3, 'twice') });
  const [first, , third] = body.items as { id: string }[];
  await admin.delete(`/v1/keys/${third!.id}`);
  const dryRun = (wanted: readonly object[]) => admin.post('/v1/keys/import?dryRun=true', { keys: wanted });
  const wanted = [{ name: 'new', owner: 'nobody yet', plan: 'free' }, ...keys(1, 'twice'), keys(3, 'twice')[2]!];
  const answer = await dryRun(wanted);
  expect([answer.status, answer.body]).toEqual([200, { existing: [{ index: 1, id: first!.id }] }]);
  expect((await dryRun([{ ...wanted[1]!, plan: 'pro' }])).body).toEqual({ existing: [] });
  expectError(await dryRun([{ ...wanted[0]!, plan: 'gold' }]), 400, 'validation_failed', '/keys/0/plan');
  expect((await admin.get('/v1/keys?owner=twice')).body.items).toHaveLength(3);
});

test('the number of keys has a minimum and a maximum', async () => {
  expectError(await admin.post('/v1/keys/import', { keys: [] }), 400, 'validation_failed', '/keys');
  expectError(await admin.post('/v1/keys/import', { keys: keys(1001, 'a') }), 400, 'validation_failed', '/keys');
});
