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

test('a delivery is made due again', async () => {
  const { id } = await makeWebhook(admin);
  const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
  expect(await cli.text('webhooks', 'redeliver', tried.id)).toBe(
    `Delivery ${tried.id} is due now: "tollgate webhooks deliveries ${id}" tells how it went.\n`,
  );
  expect(await cli.json('webhooks', 'redeliver', tried.id)).toMatchObject({ id: tried.id, status: 'pending' });
  const { code, err } = await cli.run(['webhooks', 'redeliver', 'dlv_none']);
  expect([code, err]).toEqual([1, expect.stringContaining('"tollgate webhooks deliveries ID" shows the ids')]);
});
