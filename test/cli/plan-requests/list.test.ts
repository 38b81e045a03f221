import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

async function ask(owner: string, plan: string) {
  const account = (await admin.post('/v1/accounts', { owner, name: owner, plan: 'free' })).body.id as string;
  const change = { actor: account, reason: null, at: NOW };
  const { id } = await admin.accounts.planRequests.create(account, { plan, message: 'We grow' }, change);
  return { account, id };
}

test('requests are listed with who asks for what', async () => {
  expect(await cli.text('plan-requests', 'list')).toBe('No requests.\n');
  const { account, id } = await ask('acme', 'pro');
  await ask('globex', 'pro');
  const [header, row] = (await cli.text('plan-requests', 'list', '--status', 'open', '--account', account)).split('\n');
  expect(header).toMatch(/^ID +OWNER +HAS +ASKS FOR +STATUS +ASKED +MESSAGE$/);
  expect(row).toMatch(new RegExp(`^${id} +acme +free +pro +open +2026-06-15 +We grow$`));
  expect((await cli.json('plan-requests', 'list')).items).toHaveLength(2);
  expect((await cli.json('plan-requests', 'list', '--status', 'declined')).items).toEqual([]);
});
