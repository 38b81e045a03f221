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

test('a key is banned for a while, with a reason that may be in any language', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  expect(await cli.text('bans', 'add', id, '--seconds', '3600', '--reason', 'Überlast')).toBe(
    `Key ${id} is banned until 2026-06-15 13:00:00 UTC.\n`,
  );
  expect((await admin.get('/v1/bans')).body.items).toEqual([
    expect.objectContaining({ keyId: id, reason: 'Überlast' }),
  ]);
  const again = await cli.json('bans', 'add', id, '--seconds', '60', '--reason', 'b');
  expect(again).toMatchObject({ keyId: id, status: 'active', until: '2026-06-15T12:01:00.000Z' });
});

test.each([
  [['bans', 'add', 'key_a', '--seconds', '60'], "required option '--reason <why>' not specified"],
  [['bans', 'add', 'key_a', '--reason', 'a'], "required option '--seconds <count>' not specified"],
  [['bans', 'add', 'key_a', '--reason', 'a', '--seconds', '1.5'], 'It must be a whole number, at least 1.'],
])('%j is a wrong command line', async (args, message) => {
  const { code, err } = await cli.run(args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
