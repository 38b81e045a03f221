import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cliFor } from '../../support/gateway/cli.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin({ health: () => 'degraded' });
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the gateway is shown with what it needs, since when, and why', async () => {
  const text = await cli.text('system');
  expect(text).toContain('gateway         this-gateway on a-machine, since 2026-06-15 11:00:00\n');
  expect(text).toContain('health          degraded\n');
  expect(text).toContain('history         7 rows not written yet, 2 s old\n');
  expect(text).toMatch(/^counters +redis +degraded +2026-06-15 11:59:00 +Redis cannot be reached$/m);
  expect(text).toMatch(/^records +postgres +ready +2026-06-15 11:00:00$/m);
  expect(await cli.json('system', 'show')).toEqual((await admin.get('/v1/system')).body);
});
