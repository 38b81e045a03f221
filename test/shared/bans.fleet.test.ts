import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type MemberResponse, Fleet, type Member } from '../support/fleet/fleet.ts';
import { type PostgresDatabases, query } from '../support/servers/postgres-databases.ts';
import { RedisServer } from '../support/servers/redis-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { until } from '../support/until.ts';

// While Redis is unavailable, a gateway applies the bans that it knows. It once knew only bans that had refused one of
// its own calls. So it kept applying a ban that was lifted through another gateway, and did not apply a ban that
// another gateway had started.

let redis: RedisServer;
let postgres: PostgresDatabases;
let locations: { store: string; database: string };
let fleet: Fleet;
let here: Member;
let there: Member;

/** The timeout is long, because otherwise a slow machine would look like an outage of Redis. */
const settings = { redis: { commandTimeout: '2s' } };

beforeAll(async () => {
  [redis, postgres] = await Promise.all([RedisServer.start(), sharedPostgres()]);
  locations = { store: redis.url, database: await postgres.borrowDatabase() };
  fleet = await Fleet.start(2, { ...locations, settings });
  [here, there] = fleet.members as [Member, Member];
});
afterEach(async () => {
  await redis.kill();
  await redis.start();
  for (const { adminUrl } of fleet.members) await until(async () => (await readiness(adminUrl)).includes('ready'));
  const { secret } = await fleet.createKey(1000);
  for (const gateway of fleet.members) await until(async () => !isDegraded(await gateway.get('/pets', secret)));
});
afterAll(async () => {
  await fleet.stop();
  await redis.stop();
  await postgres.dropDatabases();
});

const readiness = async (adminUrl: string) => (await fetch(`${adminUrl}/readyz`)).text();
const isDegraded = ({ headers }: MemberResponse) => headers['x-ratelimit-degraded'] === 'true';
const why = { reason: 'test' };
const ban = ({ id }: { readonly id: string }) => here.admin('PUT', `/keys/${id}/ban`, { seconds: 3600, ...why });
const lift = ({ id }: { readonly id: string }) => here.admin('DELETE', `/keys/${id}/ban`, why);

/**
 * Waits until a gateway that cannot reach Redis responds with this status, because a change may arrive a moment after
 * Redis has been killed.
 */
async function untilStatus(gateway: Member, secret: string, expected: number): Promise<void> {
  await until(async () => {
    const response = await gateway.get('/pets', secret);
    return response.status === expected && isDegraded(response);
  });
}

/** @returns the number of quotas that were changed */
async function bulk(action: 'ban' | 'lift', keys: readonly { readonly id: string }[]): Promise<unknown> {
  const ids = keys.map(({ id }) => id);
  const request = { action, filter: { ids }, ...(action === 'ban' ? { seconds: 3600 } : {}), ...why };
  const { body } = await here.admin('POST', '/keys/bulk', { ...request, preview: true });
  const done = await here.admin('POST', '/keys/bulk', { ...request, preview: false, digest: body['digest'] });
  return done.body['changed'];
}

test('a ban lifted through one gateway no longer applies at another gateway that had refused the key', async () => {
  const key = await fleet.createKey(1000);
  await ban(key);
  expect((await there.get('/pets', key.secret)).code).toBe('key_banned');
  expect((await lift(key)).status).toBe(204);
  await redis.kill();
  await untilStatus(there, key.secret, 200);
});

test('a ban started through one gateway applies at another gateway that had served the key', async () => {
  const key = await fleet.createKey(1000);
  expect((await there.get('/pets', key.secret)).status).toBe(200);
  expect((await ban(key)).status).toBe(200);
  await redis.kill();
  await untilStatus(there, key.secret, 403);
  expect((await there.get('/pets', key.secret)).code).toBe('key_banned');
});

test('a ban that replaces another applies everywhere until its own end', async () => {
  const key = await fleet.createKey(1000);
  await here.admin('PUT', `/keys/${key.id}/ban`, { seconds: 60, ...why });
  expect((await there.get('/pets', key.secret)).code).toBe('key_banned');
  await ban(key);
  await redis.kill();
  await until(async () => Number((await there.get('/pets', key.secret)).headers['retry-after']) > 60);
});

test('the bans of many keys reach every gateway', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => fleet.createKey(1000)));
  expect(await bulk('ban', keys)).toBe(3);
  await redis.kill();
  for (const { secret } of keys) await untilStatus(there, secret, 403);
});

test('the lifts of many bans reach every gateway', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => fleet.createKey(1000)));
  for (const key of keys) await ban(key);
  for (const { secret } of keys) expect((await there.get('/pets', secret)).code).toBe('key_banned');
  expect(await bulk('lift', keys)).toBe(3);
  await redis.kill();
  for (const { secret } of keys) await untilStatus(there, secret, 200);
});

test('the metric of active bans leaves out those that were lifted through another gateway', async () => {
  const activeBans = async () => {
    const text = await (await fetch(`${there.adminUrl}/metrics`)).text();
    return Number(/^tollgate_bans_active (\d+)$/m.exec(text)?.[1]);
  };
  const key = await fleet.createKey(1000);
  const before = await activeBans();
  await ban(key);
  expect((await there.get('/pets', key.secret)).code).toBe('key_banned');
  await until(async () => (await activeBans()) === before + 1);
  await lift(key);
  await until(async () => (await activeBans()) === before);
});

test('an automatic ban lifted through another gateway no longer applies at the gateway that started it', async () => {
  const key = await fleet.createKey(1);
  // Wait until the refusals after the grace period of one second have started the ban.
  await until(async () => (await there.get('/pets', key.secret)).code === 'key_banned');
  expect((await lift(key)).status).toBe(204);
  await redis.kill();
  await untilStatus(there, key.secret, 200);
});

test('a gateway that loses its connection to PostgreSQL reads the bans it missed', async () => {
  const [banned, lifted] = [await fleet.createKey(1000), await fleet.createKey(1000)];
  await ban(lifted);
  for (const { secret } of [banned, lifted]) await there.get('/pets', secret);
  there.child.kill('SIGSTOP');
  await ban(banned);
  await lift(lifted);
  await query(
    locations.database,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  );
  await redis.kill();
  there.child.kill('SIGCONT');
  await untilStatus(there, banned.secret, 403);
  await untilStatus(there, lifted.secret, 200);
});

test('a gateway that starts while Redis is unavailable knows the active bans', async () => {
  const [banned, lifted] = [await fleet.createKey(1000), await fleet.createKey(1000)];
  await ban(banned);
  await ban(lifted);
  await lift(lifted);
  await redis.kill();
  const late = await Fleet.start(1, { ...locations, settings });
  try {
    const [gateway] = late.members as [Member];
    expect(await gateway.get('/pets', banned.secret)).toMatchObject({ status: 403, code: 'key_banned' });
    expect((await gateway.get('/pets', lifted.secret)).status).toBe(200);
  } finally {
    await late.stop();
  }
});
