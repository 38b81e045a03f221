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

test('a webhook is disabled, and it is said how to take that back', async () => {
  const { id } = await makeWebhook(admin);
  expect(await cli.text('webhooks', 'disable', id)).toBe(
    `Webhook ${id} is disabled: "tollgate webhooks enable" takes that back.\n`,
  );
  expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'disabled', disabledReason: 'manual' });
  expect(await cli.json('webhooks', 'disable', id)).toMatchObject({ id, status: 'disabled' });
});
