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

test('the webhooks that an event was sent to are listed, with how the last attempt went', async () => {
  expect(await cli.text('events', 'deliveries', 'evt_none')).toBe('No deliveries.\n');
  const { id } = await makeWebhook(admin);
  const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
  const event = tried.eventId;
  const [head, line] = (await cli.text('events', 'deliveries', event)).split('\n');
  expect(head).toMatch(/^ID +CREATED \(UTC\) +WEBHOOK +STATUS +ATTEMPTS +LAST ATTEMPT$/);
  expect(line).toMatch(new RegExp(`^${tried.id} +2\\d{3}-.* +${id} +delivered +1 +answered 204 in 12 ms$`));
  expect(await cli.json('events', 'deliveries', event)).toEqual({ items: [tried], nextCursor: null });
  expect((await cli.json('events', 'deliveries', event, '--status', 'failed')).items).toEqual([]);
});
