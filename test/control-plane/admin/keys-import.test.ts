import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { hashSecret } from '../../../src/domain/key-format.ts';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const keys = (count: number, owner: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `key ${index}`, owner, plan: 'free' }));

test('many keys can be imported together, and are returned in order, each with its secret', async () => {
  const custom = { name: 'own', owner: 'bulk', plan: 'enterprise', limits: { minute: 1, day: 2 } };
  const wanted = [...keys(999, 'bulk'), custom];
  const { status, body } = await admin.post('/v1/keys/import', { keys: wanted });
  expect(status).toBe(201);
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(wanted.map(({ name }) => name));
  expect(body.items.at(-1)).toMatchObject(custom);
  const { key, created, ...shown } = body.items[500];
  expect(created).toBe(true);
  expect((await admin.get(`/v1/keys/${shown.id}`)).body).toEqual({ ...shown, account: null });
  expect(await admin.registry.findCredential(hashSecret(key))).toMatchObject({ keyId: shown.id });
});

test('an import creates all keys or none, and the errors name the keys', async () => {
  const good = keys(3, 'refused');
  const wrong = [
    { ...good[0], plan: 'gold' },
    { ...good[1], limits: { minute: 1, day: 1 } },
    { ...good[2], expiresAt: '2020-01-01T00:00:00Z' },
  ];
  const response = await admin.post('/v1/keys/import', { keys: [...good, ...wrong] });
  expectError(response, 400, 'validation_failed', '/keys/3/plan', '/keys/4/limits', '/keys/5/expiresAt');
  const unknown = await admin.post('/v1/keys/import', { keys: [...good, { ...good[0], secret: 'a' }] });
  expectError(unknown, 400, 'validation_failed', '/keys/3/secret');
  expectError(await admin.get('/v1/keys?owner=refused'), 400, 'validation_failed', '/query/owner');
});

test('a dry run of an import creates nothing and lists existing keys', async () => {
  const { body } = await admin.post('/v1/keys/import', { keys: keys(3, 'twice') });
  const [first, , third] = body.items as { id: string }[];
  await admin.delete(`/v1/keys/${third!.id}`);
  const dryRun = (wanted: readonly object[]) => admin.post('/v1/keys/import?dryRun=true', { keys: wanted });
  const wanted = [{ name: 'new', owner: 'nobody yet', plan: 'free' }, ...keys(1, 'twice'), keys(3, 'twice')[2]!];
  const response = await dryRun(wanted);
  const existing = [{ index: 1, id: first!.id }];
  expect([response.status, response.body]).toEqual([200, { existing, unchanged: [] }]);
  expect((await dryRun([{ ...wanted[1]!, plan: 'pro' }])).body).toEqual({ existing: [], unchanged: [] });
  expectError(await dryRun([{ ...wanted[0]!, plan: 'gold' }]), 400, 'validation_failed', '/keys/0/plan');
  expect((await admin.get('/v1/keys?owner=twice')).body.items).toHaveLength(3);
});

test('an import has between 1 and 1000 keys', async () => {
  expectError(await admin.post('/v1/keys/import', { keys: [] }), 400, 'validation_failed', '/keys');
  expectError(await admin.post('/v1/keys/import', { keys: keys(1001, 'a') }), 400, 'validation_failed', '/keys');
});

describe('imported keys of another gateway', () => {
  const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex');
  const foreign = (index: number, owner = 'moved') => {
    const secret = `sk_${String(index).padStart(32, 'x')}`;
    const preview = { sha256: sha256(secret), prefix: secret.slice(0, 7), lastFour: secret.slice(-4) };
    return { name: `key ${index}`, owner, plan: 'free', externalId: `old-${index}`, ...preview };
  };
  const send = (keys: readonly object[], query = '', random = true) =>
    admin.post(`/v1/keys/import${query}`, { random, keys });

  test('keep their secrets, and importing them again changes nothing', async () => {
    const wanted = [foreign(1), foreign(2)];
    const first = await send(wanted);
    expect([first.status, first.body.items.map((key: object) => 'key' in key)]).toEqual([201, [false, false]]);
    expect(first.body.items[1]).toMatchObject({
      created: true,
      externalId: 'old-2',
      prefix: 'sk_xxxx',
      lastFour: 'xxx2',
    });
    const found = await admin.registry.findCredential(hashSecret(`sk_${'1'.padStart(32, 'x')}`));
    expect(found?.keyId).toBe(first.body.items[0].id);

    const audit = async () => (await admin.get('/v1/audit?limit=1')).body.items;
    const before = await audit();
    const [{ id: one }, { id: two }] = first.body.items as [{ id: string }, { id: string }];
    const unchanged = [
      { index: 0, id: one },
      { index: 1, id: two },
    ];
    expect((await send(wanted, '?dryRun=true')).body).toEqual({ existing: [], unchanged });
    const again = await send(wanted.toReversed());
    expect(again.body.items).toMatchObject([
      { id: two, created: false },
      { id: one, created: false },
    ]);
    expect(await audit()).toEqual(before);
  });

  test('are rejected if the secret exists or the external id exists with another secret', async () => {
    const known = foreign(10);
    const [{ id }] = (await send([known])).body.items;
    const others = [
      { ...foreign(11), sha256: known.sha256 },
      { ...known, sha256: foreign(12).sha256 },
      foreign(13),
      foreign(13),
    ];
    const { body, ...response } = await send(others);
    expectError(
      { body, ...response },
      400,
      'validation_failed',
      '/keys/0/sha256',
      '/keys/1/externalId',
      '/keys/3/sha256',
    );
    expect(body.details[0].message).toContain(id);
    expectError(await admin.post('/v1/keys', { ...known, random: true, externalId: null }), 409, 'conflict');
    expectError(await admin.post('/v1/keys', { ...foreign(14), random: true, externalId: 'old-10' }), 409, 'conflict');
    const { status } = await admin.post('/v1/keys', {
      ...foreign(15, 'another owner'),
      random: true,
      externalId: 'old-10',
    });
    expect(status).toBe(201);
  });

  test('must be declared random, and must have a hash, a prefix and the last four characters', async () => {
    expectError(await send([foreign(20)], '', false), 400, 'validation_failed', '/keys/0/sha256');
    const { lastFour, ...incomplete } = foreign(20);
    expectError(await send([incomplete]), 400, 'validation_failed', '/keys/0/lastFour');
    expectError(
      await send([{ name: 'a', owner: 'b', plan: 'free', lastFour }]),
      400,
      'validation_failed',
      '/keys/0/sha256',
    );
  });
});
