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

test('a request is declined, for a reason', async () => {
  const { account, id } = await ask('acme', 'pro');
  expect((await cli.run(['plan-requests', 'decline', id])).code).toBe(2);
  expect(await cli.text('plan-requests', 'decline', id, '--reason', 'stay')).toBe(
    `Account ${account} stays on the plan free.\n`,
  );
  const { id: second } = await ask('globex', 'pro');
  const declined = await cli.json('plan-requests', 'decline', second, '--reason', 'no');
  expect(declined).toMatchObject({ id: second, status: 'declined', reason: 'no', decidedBy: 'ops' });
});
