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

test('a webhook is deleted', async () => {
  const { id } = await makeWebhook(admin);
  expect(await cli.text('webhooks', 'delete', id, '--reason', 'not needed')).toBe(`Webhook ${id} is deleted.\n`);
  expect((await admin.get(`/v1/webhooks/${id}`)).status).toBe(404);
  const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
  expect(entry).toMatchObject({ action: 'webhook.delete', reason: 'not needed' });
  const other = await makeWebhook(admin);
  expect(await cli.json('webhooks', 'delete', other.id)).toEqual({ id: other.id, deleted: true });
});
