/**
 * Measures how long a gateway accepts a key after another gateway has revoked it, if PostgreSQL's notifications are
 * lost, late or repeated. The cache never reads a key again because of its age here, so only notifications update it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createCredentialSource } from '../../../src/control-plane/registry/credential-source.ts';
import type { Key } from '../../../src/control-plane/registry/key.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { CredentialCache } from '../../../src/data-plane/credentials/credential-cache.ts';
import type { Database } from '../../../src/storage/database.ts';
import { free, createNewKey } from '../../support/registry-data.ts';
import { openReadyPostgres } from '../../support/servers/open-postgres.ts';
import type { PostgresDatabases } from '../../support/servers/postgres-databases.ts';
import { type PostgresProxy, startPostgresProxy } from '../../support/servers/postgres-proxy.ts';
import { sharedPostgres } from '../../support/servers/shared-servers.ts';
import { until } from '../../support/until.ts';

const change = { actor: 'test', reason: null, at: 1_700_000_000_000 };
const silent = pino({ level: 'silent' });

let postgres: PostgresDatabases;
let proxy: PostgresProxy;
/**
 * The connection of the gateway under test, which goes through the proxy, and the direct connection of another gateway.
 */
let databases: readonly [here: Database, there: Database];
let cache: CredentialCache;
let there: Registry;
let key: Key;
/** The time by which the cache's clock is ahead, in ms. */
let aheadMs: number;

beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

beforeEach(async () => {
  const url = await postgres.borrowDatabase();
  proxy = await startPostgresProxy(postgres.port);
  databases = [await openReadyPostgres(proxy.through(url), silent), await openReadyPostgres(url, silent)];
  there = new Registry(databases[1]);
  await there.seedPlans([free], change);
  key = await there.createKey(createNewKey(), change);
  aheadMs = 0;
  const source = createCredentialSource(new Registry(databases[0]), databases[0], 'here');
  const clock = () => performance.now() + aheadMs;
  cache = new CredentialCache(source, () => {}, { freshForMs: 0, unknownForMs: 0, clock });
  await until(() => databases[0].heardUntil() > 0);
});
afterEach(async () => {
  proxy.setNotifications('pass');
  await cache.close().catch(() => {});
  await Promise.all(databases.map((database) => database.close()));
  proxy.stop();
});

async function readStatus(): Promise<string | undefined> {
  return (await cache.lookUp(key.hash, 'secret'))?.status;
}

const revoke = () => there.updateKey(key.id, { status: 'revoked' }, change);

/** Waits until the key is served from the cache, which may need another heartbeat. */
async function fillCache(): Promise<void> {
  await until(async () => {
    const { hits } = cache.counters;
    await readStatus();
    await readStatus();
    return cache.counters.hits > hits;
  });
}

test('a revocation by another gateway applies as soon as it is announced', async () => {
  await fillCache();
  await revoke();
  await until(async () => (await readStatus()) === 'revoked');
});

for (const mode of ['drop', 'hold'] as const) {
  test(`if notifications of the database are ${mode === 'drop' ? 'lost' : 'late'}, a revocation applies after 3 seconds`, async () => {
    await fillCache();
    proxy.setNotifications(mode);
    await revoke();
    aheadMs = 3000;
    const { hits } = cache.counters;
    await until(async () => (await readStatus()) === 'revoked');
    // On a slow machine, the gateway may consider the database unavailable by now. It then serves the key, as during
    // any outage.
    expect(cache.counters.hits).toBe(hits);
  });
}

test('a revocation whose notification is lost with the connection applies after the next connection', async () => {
  await fillCache();
  proxy.setNotifications('drop');
  await revoke();
  proxy.redirectTo(postgres.port);
  proxy.setNotifications('pass');
  await until(async () => (await readStatus()) === 'revoked');
  await fillCache();
  expect(await readStatus()).toBe('revoked');
});

test('notifications that arrive twice have the same effect as those that arrive once', async () => {
  proxy.setNotifications('double');
  await fillCache();
  await there.updateKey(key.id, { status: 'disabled' }, change);
  await until(async () => (await readStatus()) === 'disabled');
  await there.updateKey(key.id, { status: 'active' }, change);
  await until(async () => (await readStatus()) === 'active');
  await revoke();
  await until(async () => (await readStatus()) === 'revoked');
  await fillCache();
  expect(await readStatus()).toBe('revoked');
});
