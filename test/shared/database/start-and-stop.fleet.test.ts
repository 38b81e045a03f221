import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSecret } from '../../../src/base/key-format.ts';
import { DatabaseFaults } from '../../support/fleet/database-faults.ts';
import { Fleet } from '../../support/fleet/fleet.ts';
import { until } from '../../support/until.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

/** A gateway starts and stops while PostgreSQL is unavailable. */
let faults: DatabaseFaults;

beforeEach(async () => {
  faults = await DatabaseFaults.prepare();
}, 60_000);
afterEach(() => faults.stop());

describe('a gateway started while PostgreSQL', () => {
  test('is unavailable waits, is not ready, and logs the reason once', async () => {
    await faults.storage.postgres.shutDown();
    await faults.startGateways();
    expect(await faults.health()).toMatchObject({ status: 503, text: expect.stringContaining('starting') });
    expect(await faults.gateway.get('/pets', generateSecret())).toMatchObject({
      status: 503,
      code: 'store_unavailable',
    });
    await sleep(1500);
    expect(faults.warnings()).toEqual([
      expect.objectContaining({
        msg: 'PostgreSQL is unavailable; retrying',
        reason: expect.stringMatching(/ECONNREFUSED/),
      }),
    ]);
    await faults.storage.postgres.start();
    await until(async () => (await faults.health()).status === 200);
    const { secret } = await faults.fleet.createKey(10);
    expect((await faults.gateway.get('/pets', secret)).status).toBe(200);
  }, 60_000);

  test('hangs waits as well', async () => {
    faults.storage.postgres.pause();
    await faults.startGateways();
    expect(await faults.health()).toMatchObject({ status: 503 });
    faults.storage.postgres.resume();
    await until(async () => (await faults.health()).status === 200, 10_000);
  }, 60_000);

  test('rejects its user fails to start', async () => {
    const database = faults.storage.locations.database.replace('postgres@', 'nobody@');
    await expect(Fleet.start(1, { ...faults.storage.locations, database })).rejects.toThrow(
      /tollgate: PostgreSQL rejected the user.*TOLLGATE_DATABASE/,
    );
  }, 60_000);
});

test('a gateway stopped while PostgreSQL hangs stops cleanly and in time', async () => {
  await faults.startGateways();
  await faults.twoKeys();
  faults.storage.postgres.pause();
  faults.gateway.child.kill('SIGTERM');
  const stopwatch = startStopwatch();
  expect(await faults.gateway.ended()).toBe(0);
  expect(stopwatch.stop()).toBeLessThan(10_000);
}, 60_000);
