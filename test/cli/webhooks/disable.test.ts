import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
const make = async (over: object = {}): Promise<any> =>
  (await admin.post('/v1/webhooks', { url: 'https://hooks.example.com/in', types: ['*'], ...over })).body;

test('a webhook is disabled, and it is said how to take that back', async () => {
  const { id } = await make();
  expect(await cli.text('webhooks', 'disable', id)).toBe(
    `Webhook ${id} is disabled: "tollgate webhooks enable" takes that back.\n`,
  );
  expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'disabled', disabledReason: 'manual' });
  expect(await cli.json('webhooks', 'disable', id)).toMatchObject({ id, status: 'disabled' });
});
