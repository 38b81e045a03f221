import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { DatabaseFaults } from '../../support/fleet/database-faults.ts';
import { Fleet } from '../../support/fleet/fleet.ts';
import { until } from '../../support/until.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

/** A gateway starts and stops while PostgreSQL is unavailable. */
let faults: DatabaseFaults;

beforeAll(async () => {
  faults = await DatabaseFaults.start();
});
beforeEach(() => faults.prepare());
afterEach(() => faults.reset());
afterAll(() => faults.stop());

describe('a gateway started while PostgreSQL', () => {
  test('is unavailable waits, is not ready, and logs the reason once', async () => {
    await faults.postgres.shutDown();
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
    await faults.postgres.start();
    await until(async () => (await faults.health()).status === 200);
    const { secret } = await faults.fleet.createKey(10);
    expect((await faults.gateway.get('/pets', secret)).status).toBe(200);
  });

  test('hangs waits, too', async () => {
    faults.postgres.pause();
    await faults.startGateways();
    expect(await faults.health()).toMatchObject({ status: 503 });
    faults.postgres.resume();
    await until(async () => (await faults.health()).status === 200);
  });

  test('rejects its user fails to start', async () => {
    const database = faults.locations.database.replace('postgres@', 'nobody@');
    await expect(Fleet.start(1, { ...faults.locations, database })).rejects.toThrow(
      /tollgate: PostgreSQL rejected the user.*TOLLGATE_DATABASE/,
    );
  });
});

test('a gateway stopped while PostgreSQL hangs stops cleanly and in time', async () => {
  await faults.startGateways();
  await faults.twoKeys();
  faults.postgres.pause();
  faults.gateway.child.kill('SIGTERM');
  const stopwatch = startStopwatch();
  expect(await faults.gateway.ended()).toBe(0);
  expect(stopwatch.stop()).toBeLessThan(60_000);
});
