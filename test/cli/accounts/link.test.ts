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

test('a link signs in once, for as long as was asked', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  const text = await cli.text('accounts', 'link', id);
  const [, token = ''] =
    /#token=(once_[\w-]{43})\n\nIt signs in once, until 2026-06-15 12:15:00 \(UTC\)/.exec(text) ?? [];
  expect(text.startsWith(`${PORTAL_URL}#token=`)).toBe(true);
  expect(await admin.accounts.spendLink(token, NOW)).toMatchObject({ id });
  const { expiresAt } = await cli.json('accounts', 'link', id, '--seconds', '604800');
  expect(expiresAt).toBe('2026-06-22T12:00:00.000Z');
  const { code, err } = await cli.run(['accounts', 'link', id, '--seconds', '604801']);
  expect([code, err]).toEqual([1, expect.stringContaining('seconds must be at most 604800')]);
});
