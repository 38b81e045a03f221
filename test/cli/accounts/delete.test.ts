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

test('an account is deleted, for a reason', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  expect((await cli.run(['accounts', 'delete', id])).code).toBe(2);
  expect(await cli.text('accounts', 'delete', id, '--reason', 'the end')).toBe(
    `Account ${id} is deleted, and the keys made for it are revoked.\n`,
  );
  expect((await admin.get(`/v1/accounts/${id}`)).status).toBe(404);
  const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
  expect(entry).toMatchObject({ action: 'account.delete', reason: 'the end' });
});

test('as JSON, too', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  expect(await cli.json('accounts', 'delete', id, '--reason', 'the end')).toEqual({ id, deleted: true });
});
