import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { cliFor } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('owners are listed by name with their numbers of keys, and can be searched', async () => {
  expect(await cli.text('owners', 'list')).toBe('No owners found.\n');
  for (const owner of ['globex', 'acme', 'acme']) await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' });
  expect(await cli.text('owners', 'list')).toMatch(/^OWNER .*\nacme +2 +2\nglobex +1 +1\n$/);
  expect((await cli.json('owners', 'list', '--search', 'GLO')).items).toEqual([
    { owner: 'globex', keys: 1, activeKeys: 1, plans: ['free'], lastUsedAt: null },
  ]);
});
