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

test('webhooks are listed, newest first, with how they are', async () => {
  expect(await cli.text('webhooks', 'list')).toBe('No webhooks.\n');
  const account = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme', plan: 'free' })).body;
  const [ours, theirs] = [
    await makeWebhook(admin, { types: ['key.banned', 'key.unbanned'] }),
    await makeWebhook(admin, { accountId: account.id }),
  ];
  await admin.patch(`/v1/webhooks/${theirs.id}`, { status: 'disabled' });
  const lines = (await cli.text('webhooks', 'list')).split('\n');
  expect(lines[1]).toMatch(new RegExp(`^${theirs.id} +${account.id} +https://hooks.* +\\* +disabled$`));
  expect(lines[2]).toMatch(new RegExp(`^${ours.id} +operators +https://hooks.* +key.banned.* +enabled$`));
  const { items } = await cli.json('webhooks', 'list', '--account', 'none');
  expect(items.map(({ id }: { id: string }) => id)).toEqual([ours.id]);
  expect((await cli.json('webhooks', 'list', '--status', 'disabled')).items).toHaveLength(1);
  expect((await cli.run(['webhooks', 'list', '--limit', '1'])).err).toContain('There are more');
});
