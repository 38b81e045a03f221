import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { enterprise, free, pro } from '../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterAll(() => admin.stop());

test('plans are listed by id', async () => {
  const lines = (await cli.text('plans', 'list')).split('\n').map((line) => line.split(/ {2,}/));
  expect(lines).toEqual([
    [
      'ID',
      'NAME',
      'PER MINUTE',
      'PER DAY',
      'PER MONTH',
      'AT ONCE',
      'OPERATIONS',
      'MODE',
      'ON STORE FAILURE',
      'PRICE',
      'DESCRIPTION',
    ],
    ['enterprise', 'Enterprise', 'custom', 'custom', 'custom', 'none', 'all', 'enforce', 'local'],
    ['free', 'Free', '60', '1000', 'none', 'none', 'all', 'enforce', 'local'],
    ['pro', 'Pro', '300', '10000', 'none', 'none', 'all', 'shadow', 'local'],
    [''],
  ]);
  expect(await cli.json('plans', 'list')).toEqual({ items: [enterprise, free, pro], nextCursor: null });
});
