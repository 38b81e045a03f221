import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { ARRIVED } from '../../support/webhooks/webhooks.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
let id: string;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
  id = (await admin.post('/v1/webhooks', { url: 'https://hooks.example.com/in', types: ['*'] })).body.id;
});
afterAll(() => admin.stop());

test('a test is sent, and it is said how that went', async () => {
  expect(await cli.text('webhooks', 'test', id)).toBe('The test was taken: answered 204 in 12 ms.\n');
  expect(await cli.json('webhooks', 'test', id)).toMatchObject({ webhookId: id, status: 'delivered' });
});

test('one that is not taken is a failure', async () => {
  admin.outcome.next = { ...ARRIVED, status: 500 };
  const { code, err } = await cli.run(['webhooks', 'test', id]);
  expect([code, err]).toEqual([1, 'tollgate: the test was not taken: answered 500 in 12 ms\n']);
  admin.outcome.next = { ...ARRIVED, status: null, error: 'the connection was refused' };
  const asJson = await cli.run(['webhooks', 'test', id, '--json']);
  expect(JSON.parse(asJson.out)).toMatchObject({
    status: 'failed',
    attempts: [{ error: 'the connection was refused' }],
  });
  expect([asJson.code, asJson.err]).toEqual([1, expect.stringContaining('the connection was refused, after 12 ms')]);
});
