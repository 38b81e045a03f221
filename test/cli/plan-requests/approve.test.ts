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

test('a request is approved, once', async () => {
  const { account, id } = await ask('acme', 'pro');
  expect(await cli.text('plan-requests', 'approve', id)).toBe(`Account ${account} has the plan pro now.\n`);
  expect((await admin.get(`/v1/accounts/${account}`)).body.plan).toBe('pro');
  expect((await cli.run(['plan-requests', 'approve', id])).err).toContain('is approved already');
  const { err } = await cli.run(['plan-requests', 'approve', 'plr_none']);
  expect(err).toBe('tollgate: There is no plan request plr_none.\n  "tollgate plan-requests list" shows the ids\n');
});
