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

test('an account is changed, and shown as it is then; what is not named stays', async () => {
  const given = { owner: 'acme', name: 'Acme', plan: 'free', email: 'ann@acme.example' };
  const { id } = (await admin.post('/v1/accounts', given)).body;
  expect(await cli.text('accounts', 'update', id, '--plan', 'pro')).toMatch(
    /^email +ann@acme\.example\n.*\nplan +pro$/m,
  );
  const changed = await cli.json('accounts', 'update', id, '--name', 'Acme Ltd', '--email', 'none');
  expect(changed).toMatchObject({ id, name: 'Acme Ltd', email: null, plan: 'pro' });
  expect((await cli.run(['accounts', 'update', id])).err).toContain('say what to change');
});
