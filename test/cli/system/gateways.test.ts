import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { noteRunning } from '../../../src/control-plane/system/heartbeat.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the gateways are listed, the latest start first', async () => {
  expect(await cli.text('system', 'gateways')).toBe('No gateways.\n');
  await noteRunning(admin.database, { id: 'other', host: 'another-machine', version: '1.2.2' }, 60_000);
  await noteRunning(admin.database, { id: 'this-gateway', host: 'a-machine', version: '1.2.3' }, 1000);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
  expect(await cli.text('system', 'gateways')).toMatch(
    new RegExp(`\nthis-gateway +a-machine +1.2.3 +running +${time} +${time}\nother +another-machine +1.2.2 +running `),
  );
  expect((await cli.json('system', 'gateways')).items).toMatchObject([
    { id: 'this-gateway', current: true },
    { id: 'other', current: false },
  ]);
});
