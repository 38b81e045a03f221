/**
 * After a clean stop, the history has every response of the gateways. After a crash, at most the responses of the last
 * 10 s are missing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet } from '../support/fleet/fleet.ts';
import { query } from '../support/servers/postgres-databases.ts';
import { type SharedStorage, openSharedStorage } from '../support/fleet/shared-storage.ts';

const FLUSH_MS = 10_000;

let storage: SharedStorage;
beforeAll(async () => {
  storage = await openSharedStorage();
});
afterAll(() => storage.release());

/** The number of requests, by key, operation and outcome. */
type Counts = Record<string, number>;

function count(counts: Counts, ...kind: (string | undefined)[]): void {
  const line = kind.join(' ');
  counts[line] = (counts[line] ?? 0) + 1;
}

/** Reads the stored requests per day, without the totals over all keys and operations. */
async function stored(database: string): Promise<Counts> {
  const rows = await query(
    database,
    `SELECT k.name AS key, o.name AS operation, c.name AS outcome, sum(requests)::TEXT AS requests FROM usage_days
     JOIN history_names k ON k.no = key_no JOIN history_names o ON o.no = operation_no
     JOIN history_names c ON c.no = outcome_no
     WHERE key_no <> 1 AND operation_no <> 1 GROUP BY 1, 2, 3`,
  );
  return Object.fromEntries(
    rows.map(({ key, operation, outcome, requests }) => [[key, operation, outcome].join(' '), Number(requests)]),
  );
}

test('four stopped gateways have written every counted request, and no others', async () => {
  const database = await storage.postgres.borrowDatabase();
  const settings = { replicas: 4, cors: { origins: ['*'] }, redis: { commandTimeout: '5s' } };
  const fleet = await Fleet.start(4, { store: storage.redis.url, database, settings });
  try {
    const keys = [await fleet.createKey(50), await fleet.createKey(1000), await fleet.createKey(1000)];
    const expected: Counts = {};
    const calls = Array.from({ length: 400 }, async (_, index) => {
      const { id, secret } = keys[index % 3]!;
      const [path, operation] = index % 5 === 0 ? ['/nowhere', ''] : ['/pets', 'listPets'];
      const { code } = await fleet.members[index % 4]!.get(path, secret);
      count(expected, id, operation, code ?? 'served');
    });
    const withoutKey = Array.from({ length: 10 }, async () => {
      await fetch(`${fleet.members[0]!.publicUrl}/pets`);
      count(expected, '', 'listPets', 'key_missing');
    });
    await Promise.all([...calls, ...withoutKey]);
    for (const { publicUrl } of fleet.members) {
      const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
      expect((await fetch(`${publicUrl}/pets`, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
      await fleet.readUsage(keys[0]!.secret);
    }
    for (const { child } of fleet.members) child.kill('SIGTERM');
    await Promise.all(fleet.members.map((member) => member.ended()));
    expect(await stored(database)).toEqual(expected);
    expect(expected[`${keys[0]!.id} listPets rate_limit_exceeded`]).toBeGreaterThan(0);
  } finally {
    await fleet.stop();
  }
});

test('a killed gateway loses at most the last 10 s of history, and no quota counts', async () => {
  const database = await storage.postgres.borrowDatabase();
  // The timeout is long, so that on a busy machine, no request is counted locally.
  const settings = { redis: { commandTimeout: '2s' } };
  const fleet = await Fleet.start(2, { store: storage.redis.url, database, settings });
  try {
    const { id, secret } = await fleet.createKey(10_000);
    const [victim, witness] = fleet.members;
    const respondedAt: number[] = [];
    for (const until = performance.now() + FLUSH_MS + 8000; performance.now() < until; await sleep(50)) {
      expect((await victim!.get('/pets', secret)).status).toBe(200);
      respondedAt.push(performance.now());
    }
    victim!.child.kill('SIGKILL');
    await victim!.ended();
    const killedAt = performance.now();

    const { [`${id} listPets served`]: storedCount = 0 } = await stored(database);
    // Allow some time for the flush, which may be late on a busy machine.
    const old = respondedAt.filter((at) => at < killedAt - FLUSH_MS - 6000).length;
    expect(old).toBeGreaterThan(0);
    expect(storedCount).toBeGreaterThanOrEqual(old);
    expect(storedCount).toBeLessThanOrEqual(respondedAt.length);
    const { windows } = JSON.parse((await witness!.get('/_gateway/usage', secret)).text) as {
      windows: { name: string; used: number }[];
    };
    expect(windows.find((window) => window.name === 'day')?.used).toBe(respondedAt.length);
  } finally {
    await fleet.stop();
  }
});
