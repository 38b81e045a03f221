import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordRunning } from '../../src/control-plane/system/heartbeat.ts';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

const STALE_FOR_MS = 900_000;

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin({ health: () => 'degraded' });
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('show', () => {
  test('the gateway and its components are shown with their state, its start and its cause', async () => {
    const text = await cli.text('system');
    expect(text).toContain('gateway     this-gateway on a-machine, since 2026-06-15 11:00:00\n');
    expect(text).toContain('health      degraded\n');
    expect(text).toContain('history     7 rows pending, oldest 2 s\n');
    expect(text).toMatch(/^counters +redis +degraded +2026-06-15 11:59:00 +Redis cannot be reached$/m);
    expect(text).toMatch(/^records +postgres +ready +2026-06-15 11:00:00$/m);
    expect(text).toMatch(/^upstream pets +http +unreachable +2026-06-15 11:59:00 +no target responds$/m);
    expect(await cli.json('system', 'show')).toEqual((await admin.get('/v1/system')).body);
  });
});

describe('gateways', () => {
  test('gateways are listed, latest start first', async () => {
    expect(await cli.text('system', 'gateways')).toBe('No gateways found.\n');
    await recordRunning(
      admin.database,
      { id: 'other', host: 'another-machine', version: '1.2.2' },
      60_000,
      STALE_FOR_MS,
    );
    await recordRunning(
      admin.database,
      { id: 'this-gateway', host: 'a-machine', version: '1.2.3' },
      1000,
      STALE_FOR_MS,
    );
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    expect(await cli.text('system', 'gateways')).toMatch(
      new RegExp(
        `\nthis-gateway +a-machine +1.2.3 +running +unknown +${time} +${time}\nother +another-machine +1.2.2 +running `,
      ),
    );
    expect((await cli.json('system', 'gateways')).items).toMatchObject([
      { id: 'this-gateway', current: true },
      { id: 'other', current: false },
    ]);
  });
});

test('if configurations of gateways differ, the output names the sections that differ, and says since when', async () => {
  const record = (id: string, guard: string) =>
    recordRunning(admin.database, { id, host: id, version: '1.2.3' }, 1000, STALE_FOR_MS, { guard, plans: '1' });
  await record('other', '1');
  await record('this-gateway', '2');
  const text = await cli.text('system', 'gateways');
  expect(text).toMatch(/^The configurations differ since [-\d]+ [:\d]+ \(UTC\), in: guard\.$/m);
  const { items, drift } = await cli.json('system', 'gateways');
  expect(drift).toMatchObject({ parts: ['guard'] });
  const differs = (items as { id: string; configuration: { differs: string[] } }[]).map(({ id, configuration }) => [
    id,
    configuration.differs,
  ]);
  expect(Object.fromEntries(differs)).toEqual({ other: ['guard'], 'this-gateway': [] });
  await record('other', '2');
  expect(await cli.text('system', 'gateways')).not.toContain('differ');
  expect(await cli.json('system', 'gateways')).toMatchObject({ drift: null });
});

describe('configuration', () => {
  test('each setting is shown with its source', async () => {
    const { out: text } = await cli.run(['system', 'configuration'], { columns: 100 });
    expect(text).toMatch(/^\/etc\/tollgate\/gateway.yaml\n\n/);
    expect(text).toMatch(/^demo +false +default$/m);
    expect(text).toMatch(/^plans +plans.yaml +gateway.yaml:3$/m);
    expect(text).toMatch(/^TOLLGATE_ADMIN_TOKEN +set +TOLLGATE_ADMIN_TOKEN$/m);
    expect((await cli.json('system', 'configuration')).settings).toHaveLength(3);
  });

  test('without a terminal, each setting is one line with columns separated by tabs', async () => {
    const lines = (await cli.text('system', 'configuration')).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines).toContain('plans\tplans.yaml\tgateway.yaml:3');
  });
});
