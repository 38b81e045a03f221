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

test('a key is changed, and shown as it is then; what is not named stays', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  const text = await cli.text('keys', 'update', id, '--plan', 'pro', '--expires-at', '2027-12-31T00:00:00Z');
  expect(text).toMatch(/^plan +pro$/m);
  expect(text).toMatch(/^expires +2027-12-31 00:00:00 UTC$/m);
  const named = await cli.json('keys', 'update', id, '--name', 'b', '--expires-at', 'never', '--reason', 'paid');
  expect(named).toMatchObject({ id, name: 'b', plan: 'pro', expiresAt: null });
  const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
  expect(entry).toMatchObject({ action: 'key.update', reason: 'paid' });
  const limits = ['--plan', 'enterprise', '--minute', '5000', '--day', '2000000'];
  expect(await cli.json('keys', 'update', id, ...limits)).toMatchObject({ limits: { minute: 5000, day: 2_000_000 } });
});

test.each([
  [[], 'say what to change'],
  [['--minute', '5'], '--minute and --day go together'],
  [['--expires-at', 'soon'], 'such as 2027-12-31T00:00:00Z'],
])('%j is no change', async (options, message) => {
  const { code, err } = await cli.run(['keys', 'update', 'key_a', ...options]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
