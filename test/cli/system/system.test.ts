import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cliFor } from '../../support/gateway/cli.ts';
import { NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  const startedAt = NOW - 3_600_000;
  admin = await startAdmin({
    health: () => 'degraded',
    system: {
      gateway: { id: 'this', host: 'a-machine', version: '1.2.3' },
      startedAt,
      components: () => [
        { name: 'counters', kind: 'redis', state: 'degraded', since: NOW - 60_000, cause: 'Redis cannot be reached' },
        { name: 'records', kind: 'postgres', state: 'ready', since: startedAt, cause: null },
      ],
      historyLag: () => ({ lagMs: 1500, pendingRows: 7 }),
      file: '/etc/tollgate/gateway.yaml',
      settings: [
        { name: 'demo', value: false, secret: false, source: 'default', from: null },
        { name: 'plans', value: 'plans.yaml', secret: false, source: 'file', from: '/etc/tollgate/gateway.yaml:3' },
        {
          name: 'TOLLGATE_ADMIN_TOKEN',
          value: 'set',
          secret: true,
          source: 'environment',
          from: 'TOLLGATE_ADMIN_TOKEN',
        },
      ],
      gateways: async () => [
        { id: 'this', host: 'a-machine', version: '1.2.3', startedAt, lastSeenAt: NOW, state: 'running' },
      ],
    },
  });
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the gateway is shown with what it needs, since when, and why', async () => {
  const text = await cli.text('system');
  expect(text).toContain('gateway         this on a-machine, since 2026-06-15 11:00:00\n');
  expect(text).toContain('health          degraded\n');
  expect(text).toContain('history         7 rows not written yet, 2 s old\n');
  expect(text).toMatch(/^counters +redis +degraded +2026-06-15 11:59:00 +Redis cannot be reached$/m);
  expect(text).toMatch(/^records +postgres +ready +2026-06-15 11:00:00$/m);
  expect(await cli.json('system')).toEqual((await admin.get('/v1/system')).body);
});

test('the gateways are listed', async () => {
  expect(await cli.text('system', 'gateways')).toMatch(
    /^this +a-machine +1.2.3 +running +2026-06-15 11:00:00 +2026-06-15 12:00:00$/m,
  );
  expect((await cli.json('system', 'gateways')).items).toMatchObject([{ id: 'this', current: true }]);
});

test('the configuration is shown, with where each setting comes from', async () => {
  const text = await cli.text('system', 'configuration');
  expect(text).toMatch(/^\/etc\/tollgate\/gateway.yaml\n\n/);
  expect(text).toMatch(/^demo +false +default$/m);
  expect(text).toMatch(/^plans +plans.yaml +gateway.yaml:3$/m);
  expect(text).toMatch(/^TOLLGATE_ADMIN_TOKEN +set +TOLLGATE_ADMIN_TOKEN$/m);
  expect((await cli.json('system', 'configuration')).settings).toHaveLength(3);
});
