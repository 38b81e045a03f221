import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AdminResponse, Fleet, type Member } from '../support/fleet/fleet.ts';
import type { PostgresDatabases } from '../support/servers/postgres-databases.ts';
import { RedisServer } from '../support/servers/redis-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { until } from '../support/until.ts';

/** One gateway starts a bulk change of keys and another one continues it, even if Redis is unavailable for a while. */
let redis: RedisServer;
let postgres: PostgresDatabases;
let fleet: Fleet;
let [one, other]: Member[] = [];

beforeAll(async () => {
  [redis, postgres] = await Promise.all([RedisServer.start({ appendOnly: true }), sharedPostgres()]);
  const locations = { store: redis.url, database: await postgres.borrowDatabase() };
  fleet = await Fleet.start(2, locations);
  [one, other] = fleet.members;
});
afterAll(async () => {
  await fleet.stop();
  await redis.stop();
  await postgres.dropDatabases();
});

async function createKeys(count: number, owner: string): Promise<{ id: string; key: string }[]> {
  const keys = Array.from({ length: count }, (_, index) => ({ name: `key ${index}`, owner, plan: 'free' }));
  const { body } = await one!.admin('POST', '/keys/import', { keys });
  return body['items'] as { id: string; key: string }[];
}
async function previewed(body: object): Promise<(member: Member | undefined) => Promise<AdminResponse>> {
  const preview = await one!.admin('POST', '/keys/bulk', { ...body, preview: true });
  return (member) => member!.admin('POST', '/keys/bulk', { ...body, digest: preview.body['digest'] });
}

test('one gateway continues a bulk change that another started, and both refuse the keys long before cached keys expire', async () => {
  const keys = await createKeys(150, 'moved');
  const call = await previewed({ action: 'revoke', filter: { owner: 'moved' }, reason: 'leak' });
  expect((await one!.get('/pets', keys[0]!.key)).status).toBe(200);
  expect((await call(one)).body).toMatchObject({ done: 100, finished: false });
  expect((await call(other)).body).toMatchObject({ done: 150, changed: 150, finished: true });
  for (const member of [one, other]) {
    for (const { key } of [keys[0]!, keys.at(-1)!]) {
      await until(async () => (await member!.get('/pets', key)).code === 'key_revoked');
    }
  }
});

test('a bulk ban stops and reports its progress if Redis becomes unavailable, and another gateway completes it later', async () => {
  const keys = await createKeys(150, 'banned');
  const body = { action: 'ban', filter: { owner: 'banned' }, seconds: 3600, reason: 'attack' };
  const call = await previewed(body);
  expect((await call(one)).body).toMatchObject({ done: 100, finished: false });
  await redis.kill();
  const away = await call(other);
  expect([away.status, away.body['code']]).toEqual([503, 'store_unavailable']);
  expect(away.body['message']).toMatch(/has banned 100 of 150 so far/);
  await redis.start();
  let last: AdminResponse | undefined;
  await until(async () => {
    last = await call(other);
    return last.status === 200;
  });
  expect(last?.body).toMatchObject({ done: 150, changed: 150, finished: true });
  const { body: log } = await one!.admin('GET', `/audit?bulkId=${String(last?.body['bulkId'])}&limit=1000`);
  const starts = (log['items'] as { action: string; subject: string }[]).filter(({ action }) => action === 'ban.start');
  expect(starts).toHaveLength(150);
  expect(new Set(starts.map(({ subject }) => subject))).toEqual(new Set(keys.map(({ id }) => id)));
  for (const { key } of [keys[0]!, keys.at(-1)!]) {
    await until(async () => (await one!.get('/pets', key)).code === 'key_banned');
  }
});
