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

test('a disabled account is enabled', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  await admin.patch(`/v1/accounts/${id}`, { status: 'disabled' });
  expect(await cli.text('accounts', 'enable', id)).toBe(`Account ${id} of acme is active.\n`);
  expect((await cli.json('accounts', 'enable', id)).status).toBe('active');
});
