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

test('deliveries are listed, with how the last attempt went', async () => {
  const { id } = await makeWebhook(admin);
  expect(await cli.text('webhooks', 'deliveries', id)).toBe('No deliveries.\n');
  const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
  const [, line] = (await cli.text('webhooks', 'deliveries', id)).split('\n');
  expect(line).toMatch(new RegExp(`^${tried.id} +2\\d{3}-.* +webhook.test +delivered +1 +answered 204 in 12 ms$`));
  expect(await cli.json('webhooks', 'deliveries', id)).toEqual({ items: [tried], nextCursor: null });
  expect((await cli.json('webhooks', 'deliveries', id, '--status', 'failed')).items).toEqual([]);
});
