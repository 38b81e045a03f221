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

test('both windows are emptied, with a reason', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await admin.store.admit({ quotaId: id, cost: 7, limits: free.limits!, mode: 'enforce' });
  expect(await cli.text('usage', 'reset', id, '--reason', 'our fault')).toMatch(/\nminute +0 +60 +60 /);
  expect((await admin.get(`/v1/audit?action=usage.reset`)).body.items[0]).toMatchObject({ reason: 'our fault' });
  expect(await cli.json('usage', 'reset', id, '--reason', 'again')).toMatchObject({
    keyId: id,
    windows: [{ used: 0 }, {}],
  });
  expect((await cli.run(['usage', 'reset', id])).code).toBe(2);
});
