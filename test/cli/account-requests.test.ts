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

async function ask(name: string): Promise<string> {
  const request = { name, email: `${name}@example.com`, purpose: 'Finding pets.\nMany.', plan: 'pro' };
  await admin.accounts.accountRequests.create(request, { actor: 'visitor', reason: null, at: NOW });
  return (await admin.get('/v1/account-requests?limit=1')).body.items[0].id;
}

describe('list', () => {
  test('requests are listed newest first, each on one line', async () => {
    expect(await cli.text('account-requests', 'list')).toBe('No account requests found.\n');
    const ann = await ask('ann');
    const bob = await ask('bob');
    const [header, ...rows] = (await cli.text('account-requests', 'list', '--status', 'open')).trimEnd().split('\n');
    expect(header).toMatch(/^ID +NAME +EMAIL +PLAN +STATUS +CREATED +PURPOSE$/);
    expect(rows).toEqual([
      expect.stringMatching(`^${bob} +bob +bob@example.com +pro +open +2026-06-15 +Finding pets.`),
      expect.stringMatching(`^${ann} +ann +ann@example.com +pro +open +2026-06-15 +Finding pets.`),
    ]);
    expect((await cli.json('account-requests', 'list', '--status', 'declined')).items).toEqual([]);
  });
});

describe('approve', () => {
  test('approval creates an account and prints a sign-in link and the address to send it to', async () => {
    const id = await ask('ann');
    const text = await cli.text('account-requests', 'approve', id, '--owner', 'ann', '--seconds', '3600');
    expect(text).toMatch(
      /^Created account acc_\w{20} for ann \(plan pro\)\. Send the link to ann@example\.com:\nhttp.*#token=once_\S+\n/,
    );
    expect(text).toContain('until 2026-06-15 13:00:00 UTC');
    expect((await admin.get('/v1/accounts')).body.items).toMatchObject([{ owner: 'ann', email: 'ann@example.com' }]);
    expect((await cli.run(['account-requests', 'approve', id])).err).toContain('is already approved');
    const { err } = await cli.run(['account-requests', 'approve', 'acr_none']);
    expect(err).toBe(
      'tollgate: There is no account request acr_none.\n  Run "tollgate account-requests list" to see the ids.\n',
    );
  });

  test('if no owner is given, the id of the new account becomes its owner', async () => {
    const { account, request, url } = await cli.json('account-requests', 'approve', await ask('ann'));
    expect(account.owner).toBe(account.id);
    expect([request.status, request.accountId]).toEqual(['approved', account.id]);
    expect(url).toMatch(/#token=once_/);
  });
});

describe('decline', () => {
  test('a request can be declined with or without a reason', async () => {
    expect(await cli.text('account-requests', 'decline', await ask('ann'))).toBe('Declined the request of ann.\n');
    const declined = await cli.json('account-requests', 'decline', await ask('bob'), '--reason', 'spam');
    expect(declined).toMatchObject({ name: 'bob', status: 'declined', reason: 'spam', decidedBy: 'ops' });
    expect((await admin.get('/v1/accounts')).body.items).toEqual([]);
  });
});
