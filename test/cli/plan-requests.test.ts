import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

async function ask(owner: string, plan: string) {
  const account = (await admin.post('/v1/accounts', { owner, name: owner, plan: 'free' })).body.id as string;
  const change = { actor: account, reason: null, at: NOW };
  const { id } = await admin.accounts.planRequests.create(account, { plan, message: 'We grow' }, change);
  return { account, id };
}

describe('list', () => {
  test('requests are listed with the current and the requested plan', async () => {
    expect(await cli.text('plan-requests', 'list')).toBe('No plan requests found.\n');
    const { account, id } = await ask('acme', 'pro');
    await ask('globex', 'pro');
    const [header, row] = (await cli.text('plan-requests', 'list', '--status', 'open', '--account', account)).split(
      '\n',
    );
    expect(header).toMatch(/^ID +OWNER +CURRENT PLAN +REQUESTED PLAN +STATUS +CREATED +MESSAGE$/);
    expect(row).toMatch(new RegExp(`^${id} +acme +free +pro +open +2026-06-15 +We grow$`));
    expect((await cli.json('plan-requests', 'list')).items).toHaveLength(2);
    expect((await cli.json('plan-requests', 'list', '--status', 'declined')).items).toEqual([]);
  });
});

describe('approve', () => {
  test('a request is approved only once', async () => {
    const { account, id } = await ask('acme', 'pro');
    expect(await cli.text('plan-requests', 'approve', id)).toBe(`Approved. Account ${account} is now on plan pro.\n`);
    expect((await admin.get(`/v1/accounts/${account}`)).body.plan).toBe('pro');
    expect((await cli.run(['plan-requests', 'approve', id])).err).toContain('is already approved');
    const { err } = await cli.run(['plan-requests', 'approve', 'plr_none']);
    expect(err).toBe(
      'tollgate: There is no plan request plr_none.\n  Run "tollgate plan-requests list" to see the ids.\n',
    );
  });
});

describe('decline', () => {
  test('a request is declined, and a reason is required', async () => {
    const { account, id } = await ask('acme', 'pro');
    expect((await cli.run(['plan-requests', 'decline', id])).code).toBe(2);
    expect(await cli.text('plan-requests', 'decline', id, '--reason', 'stay')).toBe(
      `Declined. Account ${account} stays on plan free.\n`,
    );
    const { id: second } = await ask('globex', 'pro');
    const declined = await cli.json('plan-requests', 'decline', second, '--reason', 'no');
    expect(declined).toMatchObject({ id: second, status: 'declined', reason: 'no', decidedBy: 'ops' });
  });
});
