import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { cliFor } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterEach(() => admin.stop());

async function ask(owner: string, plan: string) {
  const account = (await admin.post('/v1/accounts', { owner, name: owner, plan: 'free' })).body.id as string;
  const change = { actor: account, reason: null, at: NOW };
  const { id } = await admin.accounts.planRequests.create(account, { plan, message: 'We grow' }, change);
  return { account, id };
}

describe('list', () => {
  test('requests are listed with who asks for what', async () => {
    expect(await cli.text('plan-requests', 'list')).toBe('No requests.\n');
    const { account, id } = await ask('acme', 'pro');
    await ask('globex', 'pro');
    const [header, row] = (await cli.text('plan-requests', 'list', '--status', 'open', '--account', account)).split(
      '\n',
    );
    expect(header).toMatch(/^ID +OWNER +HAS +ASKS FOR +STATUS +ASKED +MESSAGE$/);
    expect(row).toMatch(new RegExp(`^${id} +acme +free +pro +open +2026-06-15 +We grow$`));
    expect((await cli.json('plan-requests', 'list')).items).toHaveLength(2);
    expect((await cli.json('plan-requests', 'list', '--status', 'declined')).items).toEqual([]);
  });
});

describe('approve', () => {
  test('a request is approved, once', async () => {
    const { account, id } = await ask('acme', 'pro');
    expect(await cli.text('plan-requests', 'approve', id)).toBe(`Account ${account} has the plan pro now.\n`);
    expect((await admin.get(`/v1/accounts/${account}`)).body.plan).toBe('pro');
    expect((await cli.run(['plan-requests', 'approve', id])).err).toContain('is approved already');
    const { err } = await cli.run(['plan-requests', 'approve', 'plr_none']);
    expect(err).toBe('tollgate: There is no plan request plr_none.\n  "tollgate plan-requests list" shows the ids\n');
  });
});

describe('decline', () => {
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
});
