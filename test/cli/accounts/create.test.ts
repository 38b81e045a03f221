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

const GIVEN = ['accounts', 'create', '--owner', 'acme', '--name', 'Acme Ltd', '--plan', 'free'];

test('an account is made, and it is said how its consumer signs in', async () => {
  const text = await cli.text(...GIVEN, '--email', 'Ann@Acme.example', '--reason', 'order 4711');
  const [, id = ''] = /^Account (acc_\w{20}) of acme is made, on the plan free\.\n/.exec(text) ?? [];
  expect(text).toContain(`"tollgate accounts link ${id}" makes a link to sign in with.\n`);
  expect((await admin.get(`/v1/accounts/${id}`)).body).toMatchObject({ name: 'Acme Ltd', email: 'ann@acme.example' });
  expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('order 4711');
  const { code, err } = await cli.run(GIVEN);
  expect([code, err]).toEqual([1, 'tollgate: Another account has the owner acme.\n']);
});
