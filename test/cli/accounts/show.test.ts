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

test('an account is shown whole', async () => {
  const { id } = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd', plan: 'free' })).body;
  const of = { method: 'link', accountId: id } as const;
  await admin.accounts.sessions.start({ of, cookie: 'c', address: '192.0.2.1', userAgent: '', at: NOW + 1000 });
  const shown = await cli.text('accounts', 'show', id);
  expect(shown.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    `id: ${id}`,
    'owner: acme',
    'name: Acme Ltd',
    'email: none',
    'status: active',
    'plan: free',
    'created: 2026-06-15 12:00:00 UTC',
    'signed in: 2026-06-15 12:00:01 UTC',
    '',
  ]);
  expect(await cli.json('accounts', 'show', id)).toEqual((await admin.get(`/v1/accounts/${id}`)).body);
  const { err } = await cli.run(['accounts', 'show', 'acc_none']);
  expect(err).toBe('tollgate: There is no account acc_none.\n  "tollgate accounts list" shows the ids\n');
});
