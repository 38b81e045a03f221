import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterAll(() => admin.stop());

test('owners are listed by name with the number of their keys, and can be searched', async () => {
  expect(await cli.text('owners', 'list')).toBe('No owners found.\n');
  for (const owner of ['globex', 'acme', 'acme']) await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' });
  expect(await cli.text('owners', 'list')).toMatch(/^OWNER .*\nacme +2 +2\nglobex +1 +1\n$/);
  const account = { owner: 'globex', name: 'Globex Inc.', email: null, plan: 'free' };
  const { id } = (await admin.post('/v1/accounts', account)).body;
  expect((await cli.json('owners', 'list', '--search', 'GLO')).items).toEqual([
    {
      owner: 'globex',
      account: { id, name: 'Globex Inc.', email: null },
      keys: 1,
      activeKeys: 1,
      plans: ['free'],
      lastUsedAt: null,
      usage: null,
    },
  ]);
  const sorted = await cli.json('owners', 'list', '--sort', 'keys');
  expect(sorted.items.map(({ owner }: { owner: string }) => owner)).toEqual(['globex', 'acme']);
});

test('owners can be listed with their number of requests, and sorted by it', async () => {
  const [key] = (await admin.get('/v1/keys?owner=globex')).body.items;
  await addCounts(admin.history, { minute: NOW - 3_600_000, keyId: key.id, operation: 'listPets', requests: 7 });
  const text = await cli.text('owners', 'list', '--since', '24h', '--sort=-requests');
  expect(text).toMatch(
    /^OWNER +ACCOUNT +ACTIVE KEYS +ALL KEYS +REQUESTS +REFUSED\nglobex +Globex Inc\. +1 +1 +7 +0\nacme /,
  );
  const { code, err } = await cli.run(['owners', 'list', '--sort', 'requests']);
  expect([code, err]).toEqual([2, expect.stringContaining('--sort requests needs --since')]);
});
