import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOW, PORTAL_URL, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

const EMAIL = ['--email', 'Ann@Acme.example'];
const create = (owner: string, ...more: string[]) =>
  cli.json('accounts', 'create', '--owner', owner, '--name', `${owner} Ltd`, '--plan', 'free', ...more);

test('accounts are made, listed and shown', async () => {
  expect(await cli.text('accounts', 'list')).toBe('No accounts.\n');
  const { id } = await create('acme', ...EMAIL);
  const other = await cli.text('accounts', 'create', '--owner', 'b', '--name', 'B', '--plan', 'pro');
  expect(other).toMatch(
    /^Account (acc_\w{20}) of b is made, on the plan pro\.\n"tollgate accounts link \1" makes a link/,
  );
  const [header, , acme] = (await cli.text('accounts', 'list')).split('\n');
  expect(header).toMatch(/^ID +OWNER +NAME +EMAIL +PLAN +STATUS +SIGNED IN$/);
  expect(acme).toMatch(new RegExp(`^${id} +acme +acme Ltd +ann@acme.example +free +active +never$`));
  for (const filter of [
    ['--plan', 'free'],
    ['--search', 'ANN@'],
  ]) {
    const { items } = await cli.json('accounts', 'list', ...filter);
    expect(items.map((each: { id: string }) => each.id)).toEqual([id]);
  }
  expect((await cli.json('accounts', 'list', '--status', 'disabled')).items).toEqual([]);

  await admin.accounts.sessions.start({
    of: { method: 'link', accountId: id },
    cookie: 'c',
    address: '192.0.2.1',
    userAgent: '',
    at: NOW + 1000,
  });
  const shown = await cli.text('accounts', 'show', id);
  expect(shown.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    `id: ${id}`,
    'owner: acme',
    'name: acme Ltd',
    'email: ann@acme.example',
    'status: active',
    'plan: free',
    'created: 2026-06-15 12:00:00 UTC',
    'signed in: 2026-06-15 12:00:01 UTC',
    '',
  ]);
  const { err } = await cli.run(['accounts', 'show', 'acc_none']);
  expect(err).toBe('tollgate: There is no account acc_none.\n  "tollgate accounts list" shows the ids\n');
});

test('a link signs in once, for as long as was asked', async () => {
  const { id } = await create('linked');
  const text = await cli.text('accounts', 'link', id);
  const [, token = ''] =
    /#token=(once_[\w-]{43})\n\nIt signs in once, until 2026-06-15 12:15:00 \(UTC\)/.exec(text) ?? [];
  expect(text.startsWith(`${PORTAL_URL}#token=`)).toBe(true);
  expect(await admin.accounts.spendLink(token, NOW)).toMatchObject({ id });
  const { expiresAt } = await cli.json('accounts', 'link', id, '--seconds', '604800');
  expect(expiresAt).toBe('2026-06-22T12:00:00.000Z');
});

test('an account is disabled, enabled and deleted', async () => {
  const { id } = await create('leaving');
  const status = async () => (await admin.get(`/v1/accounts/${id}`)).body.status;
  expect(await cli.text('accounts', 'disable', id, '--reason', 'unpaid')).toBe(
    `Account ${id} of leaving is disabled, and its sessions have ended: "tollgate accounts enable" takes that back.\n`,
  );
  expect(await status()).toBe('disabled');
  expect((await cli.run(['accounts', 'link', id])).err).toContain('is disabled: enable it first');
  expect(await cli.text('accounts', 'enable', id)).toBe(`Account ${id} of leaving is active.\n`);
  expect((await cli.run(['accounts', 'delete', id])).code).toBe(2);
  expect(await cli.json('accounts', 'delete', id, '--reason', 'the end')).toEqual({ id, deleted: true });
  expect(await status()).toBe(404);
  const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
  expect(entry).toMatchObject({ action: 'account.delete', reason: 'the end' });
});

test('requests for a plan are listed, approved and declined', async () => {
  const { id } = await create('growing');
  const ask = async (plan: string) =>
    (await admin.accounts.planRequests.create(id, { plan, message: 'We grow' }, { actor: id, reason: null, at: NOW }))
      .id;
  expect(await cli.text('plan-requests', 'list')).toBe('No requests.\n');
  const first = await ask('pro');
  const [header, row] = (await cli.text('plan-requests', 'list', '--status', 'open', '--account', id)).split('\n');
  expect(header).toMatch(/^ID +OWNER +HAS +ASKS FOR +STATUS +ASKED +MESSAGE$/);
  expect(row).toMatch(new RegExp(`^${first} +growing +free +pro +open +2026-06-15 +We grow$`));
  expect(await cli.text('plan-requests', 'approve', first)).toBe(`Account ${id} has the plan pro now.\n`);
  expect((await cli.run(['plan-requests', 'approve', first])).err).toContain('is approved already');

  const second = await ask('free');
  expect((await cli.run(['plan-requests', 'decline', second])).code).toBe(2);
  expect(await cli.text('plan-requests', 'decline', second, '--reason', 'stay')).toBe(
    `Account ${id} stays on the plan pro.\n`,
  );
  const { items } = await cli.json('plan-requests', 'list', '--status', 'declined');
  expect(items).toEqual([expect.objectContaining({ id: second, reason: 'stay', decidedBy: 'ops' })]);
});
