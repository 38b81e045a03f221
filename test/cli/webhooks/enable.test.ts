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

test('a disabled webhook is enabled', async () => {
  const { id } = await makeWebhook(admin);
  await admin.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
  expect(await cli.text('webhooks', 'enable', id, '--reason', 'it is back')).toBe(
    `Webhook ${id} is enabled, and gets what was not delivered to it.\n`,
  );
  expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'enabled', disabledReason: null });
  expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('it is back');
});
