import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { free } from '../../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('both windows and the ban of a key are shown, with or without the verb', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await admin.store.admit({ quotaId: id, cost: 7, limits: free.limits!, mode: 'enforce' });
  const windows =
    'WINDOW  USED  LIMIT  REMAINING  RESETS (UTC)\n' +
    'minute     7     60         53  2026-06-15 12:01:00\n' +
    'day        7   1000        993  2026-06-16 00:00:00\n';
  expect(await cli.text('usage', id)).toBe(`Key ${id} on the plan free\n\n${windows}\nNot banned.\n`);
  expect(await cli.text('usage', 'show', id)).toBe(await cli.text('usage', id));

  const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  const out = await cli.text('usage', next.id);
  expect(out).toMatch(new RegExp(`^Key ${next.id} on the plan free, counted together with ${id}\n`));
  expect(out).toMatch(/\nBanned until 2026-06-15 12:01:00 UTC, by hand\.\n$/);
  expect(await cli.json('usage', next.id)).toMatchObject({ keyId: next.id, windows: [{ used: 7 }, { used: 7 }] });
});

test('it needs a key that is there', async () => {
  expect((await cli.run(['usage'])).code).toBe(2);
  expect((await cli.run(['usage', 'key_none'])).code).toBe(1);
});
