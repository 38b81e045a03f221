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

test('an account is disabled, and it is said how to take that back', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  expect(await cli.text('accounts', 'disable', id, '--reason', 'unpaid')).toBe(
    `Account ${id} of acme is disabled, and its sessions have ended: "tollgate accounts enable" takes that back.\n`,
  );
  expect((await admin.get(`/v1/accounts/${id}`)).body.status).toBe('disabled');
  expect((await cli.run(['accounts', 'link', id])).err).toContain('is disabled: enable it first');
});
