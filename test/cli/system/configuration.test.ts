import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cliFor } from '../../support/gateway/cli.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the configuration is shown, with where each setting comes from', async () => {
  const text = await cli.text('system', 'configuration');
  expect(text).toMatch(/^\/etc\/tollgate\/gateway.yaml\n\n/);
  expect(text).toMatch(/^demo +false +default$/m);
  expect(text).toMatch(/^plans +plans.yaml +gateway.yaml:3$/m);
  expect(text).toMatch(/^TOLLGATE_ADMIN_TOKEN +set +TOLLGATE_ADMIN_TOKEN$/m);
  expect((await cli.json('system', 'configuration')).settings).toHaveLength(3);
});
