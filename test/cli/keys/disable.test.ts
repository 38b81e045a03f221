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

test('a key is taken out of service, and it is said how to take that back', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  expect(await cli.text('keys', 'disable', id, '--reason', 'unpaid')).toBe(
    `Key ${id} of acme is disabled, and so is any key that it replaced: "tollgate keys enable" takes that back, key by key.\n`,
  );
  expect((await admin.get(`/v1/keys/${id}`)).body.status).toBe('disabled');
  expect((await cli.run(['keys', 'disable', 'key_none'])).err).toContain('"tollgate keys list" shows the ids');
});
