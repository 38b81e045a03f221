import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, makeWebhook, startAdmin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('a webhook is shown, without its secret', async () => {
  const { id, secret } = await makeWebhook(admin, { types: ['key.banned', 'key.created'] });
  const text = await cli.text('webhooks', 'show', id);
  expect(text).toMatch(new RegExp(`^id +${id}\nof +the operators\nurl +https://hooks.example.com/in\n`));
  expect(text).toContain('key.banned, key.created\n');
  expect(text).not.toContain(secret);
  expect(await cli.json('webhooks', 'show', id)).toEqual((await admin.get(`/v1/webhooks/${id}`)).body);
});

test('and why it is disabled, and since when', async () => {
  const { id } = await makeWebhook(admin);
  const set = { status: 'disabled', disabled_reason: 'gone', disabled_at: Date.parse('2026-06-15T12:00:00Z') };
  await admin.database.transaction((tx) => tx.updateTable('webhooks').set(set).where('id', '=', id).execute());
  const text = await cli.text('webhooks', 'show', id);
  expect(text).toMatch(/^status +disabled \(gone\)\ndisabled +2026-06-15 12:00:00 UTC$/m);
  const { code, err } = await cli.run(['webhooks', 'show', 'whk_none']);
  expect([code, err]).toEqual([1, expect.stringContaining('"tollgate webhooks list" shows the ids')]);
});
