import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, PORTAL_URL, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('create', () => {
  const GIVEN = ['accounts', 'create', '--owner', 'acme', '--name', 'Acme Ltd', '--plan', 'free'];

  test('an account is created, and the output names the command that makes a sign-in link', async () => {
    const text = await cli.text(...GIVEN, '--email', 'Ann@Acme.example', '--reason', 'order 4711');
    const [, id = ''] = /^Created account (acc_\w{20}) for acme \(plan free\)\.\n/.exec(text) ?? [];
    expect(text).toContain(`To invite its user, run "tollgate accounts link ${id}".\n`);
    expect((await admin.get(`/v1/accounts/${id}`)).body).toMatchObject({ name: 'Acme Ltd', email: 'ann@acme.example' });
    expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('order 4711');
    const { code, err } = await cli.run(GIVEN);
    expect([code, err]).toEqual([1, 'tollgate: Another account already has the owner acme.\n']);
  });
});

describe('list', () => {
  test('accounts are listed newest first and can be filtered', async () => {
    expect(await cli.text('accounts', 'list')).toBe('No accounts found.\n');
    const make = async (owner: string, plan: string) =>
      (await admin.post('/v1/accounts', { owner, name: `${owner} Ltd`, plan, email: `ann@${owner}.example` })).body.id;
    const [acme, globex] = [await make('acme', 'free'), await make('globex', 'pro')];
    const [header, first, second] = (await cli.text('accounts', 'list')).split('\n');
    expect(header).toMatch(/^ID +OWNER +NAME +EMAIL +PLAN +STATUS +LAST SIGN-IN$/);
    expect(first).toMatch(new RegExp(`^${globex} +globex +globex Ltd +ann@globex.ex.* +pro +active +never$`));
    expect(second).toMatch(new RegExp(`^${acme} +acme `));
    for (const filter of [
      ['--plan', 'free'],
      ['--search', 'ANN@ACME'],
    ]) {
      expect((await cli.json('accounts', 'list', ...filter)).items).toEqual([expect.objectContaining({ id: acme })]);
    }
    expect((await cli.json('accounts', 'list', '--status', 'disabled')).items).toEqual([]);
    expect((await cli.json('accounts', 'list', '--sort', '-plan')).items).toMatchObject([{ id: globex }, { id: acme }]);
    expect((await cli.json('accounts', 'list', '--sort', 'name')).items).toMatchObject([{ id: acme }, { id: globex }]);
    const { err } = await cli.run(['accounts', 'list', '--limit', '1']);
    expect(err).toBe('There are more items. Use --all to see all of them.\n');
  });
});

describe('show', () => {
  test('all fields of an account are shown', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    const user = { method: 'link', accountId: id } as const;
    await admin.accounts.sessions.start({ user, cookie: 'c', address: '192.0.2.1', userAgent: '', at: NOW + 1000 });
    const shown = await cli.text('accounts', 'show', id);
    expect(shown.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      `id: ${id}`,
      'owner: acme',
      'name: Acme Ltd',
      'email: none',
      'status: active',
      'plan: free',
      'created: 2026-06-15 12:00:00 UTC',
      'last sign-in: 2026-06-15 12:00:01 UTC',
      '',
    ]);
    expect(await cli.json('accounts', 'show', id)).toEqual((await admin.get(`/v1/accounts/${id}`)).body);
    const { err } = await cli.run(['accounts', 'show', 'acc_none']);
    expect(err).toBe('tollgate: There is no account acc_none.\n  Run "tollgate accounts list" to see the ids.\n');
  });
});

describe('update', () => {
  test('only the given fields of an account change, and the result is shown', async () => {
    const given = { owner: 'acme', name: 'Acme', plan: 'free', email: 'ann@acme.example' };
    const { id } = (await admin.post('/v1/accounts', given)).body;
    expect(await cli.text('accounts', 'update', id, '--plan', 'pro')).toMatch(
      /^email +ann@acme\.example\n.*\nplan +pro$/m,
    );
    const changed = await cli.json('accounts', 'update', id, '--name', 'Acme Ltd', '--email', 'none');
    expect(changed).toMatchObject({ id, name: 'Acme Ltd', email: null, plan: 'pro' });
    expect((await cli.run(['accounts', 'update', id])).err).toContain('nothing to update: give at least one of --name');
  });
});

describe('disable', () => {
  test('an account is disabled, and the output says how to undo it', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    expect(await cli.text('accounts', 'disable', id, '--reason', 'unpaid')).toBe(
      `Disabled account ${id} (acme).\nIts sessions have ended; its keys keep working. To undo, run "tollgate accounts enable ${id}".\n`,
    );
    expect((await admin.get(`/v1/accounts/${id}`)).body.status).toBe('disabled');
    expect((await cli.run(['accounts', 'link', id])).err).toContain('is disabled: enable it first');
  });
});

describe('enable', () => {
  test('a disabled account is enabled', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    await admin.patch(`/v1/accounts/${id}`, { status: 'disabled' });
    expect(await cli.text('accounts', 'enable', id)).toBe(`Enabled account ${id} (acme).\n`);
    expect((await cli.json('accounts', 'enable', id)).status).toBe('active');
  });
});

describe('link', () => {
  test('the printed link signs in once, and expires after the requested time', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    const text = await cli.text('accounts', 'link', id);
    const [, token = ''] =
      /#token=(once_[\w-]{43})\n\nThe link works once, for anyone who has it, until 2026-06-15 12:15:00 UTC\./.exec(
        text,
      ) ?? [];
    expect(text.startsWith(`${PORTAL_URL}#token=`)).toBe(true);
    expect(await admin.accounts.spendLink(token, NOW)).toMatchObject({ id });
    const { expiresAt } = await cli.json('accounts', 'link', id, '--seconds', '604800');
    expect(expiresAt).toBe('2026-06-22T12:00:00.000Z');
    const { code, err } = await cli.run(['accounts', 'link', id, '--seconds', '604801']);
    expect([code, err]).toEqual([1, expect.stringContaining('--seconds must be at most 604800')]);
  });
});

describe('delete', () => {
  test('an account is deleted, and a reason is required', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    expect((await cli.run(['accounts', 'delete', id])).code).toBe(2);
    expect(await cli.text('accounts', 'delete', id, '--reason', 'the end')).toBe(
      `Deleted account ${id} and revoked its keys.\n`,
    );
    expect((await admin.get(`/v1/accounts/${id}`)).status).toBe(404);
    const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
    expect(entry).toMatchObject({ action: 'account.delete', reason: 'the end' });
  });

  test('the deletion can be printed as JSON', async () => {
    const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
    expect(await cli.json('accounts', 'delete', id, '--reason', 'the end')).toEqual({ id, deleted: true });
  });
});
