/** Gateways that share a database find out within 30 seconds that their configurations differ. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet, type Member } from '../support/fleet/fleet.ts';
import { openSharedStorage, type SharedStorage } from '../support/fleet/shared-storage.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';

const MAX_WAIT_MS = 30_000;

const guard = (failedAttempts: number) => ({ guard: { failedAttempts } });

let storage: SharedStorage;
let fleet: Fleet;
beforeAll(async () => {
  storage = await openSharedStorage();
  fleet = await Fleet.start(2, { ...storage.locations, settings: guard(10) });
});
afterAll(async () => {
  await fleet.stop();
  await storage.release();
});

async function readDriftMetric({ adminUrl }: Member): Promise<string | undefined> {
  const text = await (await fetch(new URL('/metrics', adminUrl))).text();
  return /^tollgate_config_drift (\d+)$/m.exec(text)?.[1];
}

async function listGateways(member: Member) {
  return (await member.admin('GET', '/gateways')).body as {
    items: { current: boolean; configuration: { digest: string; differs: string[] } | null }[];
    drift: { parts: string[] } | null;
  };
}

test('a reload of one gateway is reported as a difference, until the other one is reloaded', async () => {
  const [one, other] = fleet.members as [Member, Member];
  await until(async () => (await listGateways(one)).items.every(({ configuration }) => configuration !== null));
  expect((await listGateways(one)).drift).toBeNull();

  one.configure(guard(11));
  expect(await one.admin('POST', '/config/reload')).toMatchObject({ status: 200 });
  const stopwatch = startStopwatch();
  await until(async () => (await listGateways(other)).drift !== null);
  const { items, drift } = await listGateways(other);
  expect(drift).toMatchObject({ parts: ['guard'] });
  expect(items.map(({ current, configuration }) => [current, configuration?.differs])).toEqual(
    expect.arrayContaining([
      [true, []],
      [false, ['guard']],
    ]),
  );
  for (const member of fleet.members) await until(async () => (await readDriftMetric(member)) === '1');
  expect(stopwatch.stop()).toBeLessThan(MAX_WAIT_MS);

  other.configure(guard(11));
  expect(await other.admin('POST', '/config/reload')).toMatchObject({ status: 200 });
  for (const member of fleet.members) await until(async () => (await readDriftMetric(member)) === '0');
  expect((await listGateways(one)).drift).toBeNull();
});
