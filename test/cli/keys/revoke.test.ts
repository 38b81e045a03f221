import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('a key is revoked for good, with the reason, and again changes nothing', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  expect(await cli.text('keys', 'revoke', id, '--reason', 'left us')).toBe(`Key ${id} of acme is revoked, for good.\n`);
  expect(await cli.json('keys', 'revoke', id)).toMatchObject({ id, status: 'revoked' });
  const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
  expect(items).toEqual([expect.objectContaining({ reason: 'left us' })]);

  const { code, err } = await cli.run(['keys', 'enable', id]);
  expect([code, err]).toEqual([1, expect.stringContaining(`Key ${id} is revoked, for good: create a new key.`)]);
});

// The reason goes into a header, and anything but ASCII was refused.
test('the reason may be in any language', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  const reason = 'Vertrag gekündigt – 契約終了 🙂';
  await cli.text('keys', 'revoke', id, '--reason', reason);
  const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
  expect(items).toEqual([expect.objectContaining({ reason })]);
});

test('without an id nothing is done', async () => {
  const { code, err } = await cli.run(['keys', 'revoke']);
  expect([code, err]).toEqual([2, expect.stringContaining("missing required argument 'id'")]);
});

test('--chain reaches the keys that replaced it', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
  await cli.text('keys', 'revoke', id, '--chain');
  expect((await admin.get(`/v1/keys/${next.id}`)).body).toMatchObject({ status: 'revoked' });
});
