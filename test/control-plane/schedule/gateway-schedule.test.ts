/** A gateway runs its hourly tasks. No other test would notice if they did not run. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { join } from 'node:path';
import { pino } from 'pino';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import { MAX_ENDED_KEYS } from '../../../src/control-plane/accounts/ended-keys.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { free, createNewKey } from '../../support/registry-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

/** A time shortly before 2026-11-01, when the pet store's document deprecates getPet. getPet ends on 2027-12-31. */
const START = Date.parse('2026-10-25T12:00:00Z');
const HOUR_MS = 3_600_000;

let now: number;
let gateway: TestGateway;
beforeEach(async () => {
  // Only setTimeout is faked, because the schedule uses it. It also advances with real time, because other code uses
  // it, too.
  const doNotFake = [
    'Date',
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'setInterval',
  ] as const;
  jest.useFakeTimers({ advanceTimers: true, doNotFake: [...doNotFake, 'clearImmediate', 'clearInterval'] });
  now = START;
  const settings = { events: { keep: '7d' } };
  gateway = await startTestGateway({ clock: () => now, lastUsesFlushMs: 100, settings });
});
afterEach(async () => {
  await gateway.stop();
  jest.useRealTimers();
});

interface Listed {
  readonly items: readonly { readonly type: string; readonly subject: string; readonly owner: string | null }[];
}

async function types(): Promise<string[]> {
  const { items } = (await (await gateway.admin('/v1/events')).json()) as Listed;
  return items.map(({ type, owner }) => (owner === null ? type : `${type} to ${owner}`)).sort();
}

test('a gateway announces coming dates and deletes old data, half a minute after its start and every hour', async () => {
  const body = JSON.stringify({ name: 'a', owner: 'acme', plan: 'free', expiresAt: '2026-11-08T12:00:00Z' });
  expect((await gateway.admin('/v1/keys', { method: 'POST', body })).status).toBe(201);
  expect((await gateway.call('/pets/1')).status).toBe(200);
  await until(async () => (await callers()) === 1);
  expect(await types()).toEqual(['key.created to acme', 'key.created to demo']);

  now = Date.parse('2026-11-01T18:00:00Z');
  await jest.advanceTimersByTimeAsync(30_000);
  await until(async () => !(await types()).includes('key.created to acme'));
  expect(await types()).toEqual(['key.expiring to acme', 'operation.deprecated']);

  now = Date.parse('2027-12-05T12:00:00Z');
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  await until(async () => !(await types()).includes('operation.deprecated'));
  expect(await types()).toEqual(['operation.sunset_soon to demo']);
});

test('a gateway retires an unused key that was rotated with graceUntil=quiet, without action by an operator', async () => {
  const old = await create('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' });
  const fresh = await create(`/v1/keys/${old.id}/rotate`, { graceUntil: 'quiet' });
  const readStatus = async (key: string) => (await gateway.call('/pets', { key })).status;
  expect([await readStatus(old.key), await readStatus(fresh.key)]).toEqual([200, 200]);
  const isRecorded = async (id: string) =>
    ((await (await gateway.admin(`/v1/keys/${id}`)).json()) as { lastUsedAt: string | null }).lastUsedAt !== null;
  await until(async () => (await isRecorded(old.id)) && (await isRecorded(fresh.id)));

  now += 6 * 24 * HOUR_MS;
  await jest.advanceTimersByTimeAsync(30_000);
  expect(await readStatus(fresh.key)).toBe(200);
  expect(await types()).not.toContain('key.retired to acme');
  now += 2 * 24 * HOUR_MS;
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  await until(async () => (await types()).includes('key.retired to acme'));
  expect([await readStatus(old.key), await readStatus(fresh.key)]).toEqual([401, 200]);
});

test('a gateway deletes the oldest ended keys of an account, without action by an operator', async () => {
  const folder = tempFolder();
  const id = await prepareEndedKeys(folder.path);
  const other = await startTestGateway({ dataDir: folder.path, clock: () => now });
  const readStatus = async () => (await other.admin(`/v1/keys/${id}`)).status;
  expect(await readStatus()).toBe(200);
  await jest.advanceTimersByTimeAsync(30_000);
  await until(async () => (await readStatus()) === 404);
  await other.stop();
  folder.remove();
});

/**
 * Stores an account with one ended key more than the account keeps.
 *
 * @returns the id of the oldest key
 */
async function prepareEndedKeys(dataDir: string): Promise<string> {
  const change = { actor: 'test', reason: null, at: START - 30 * 24 * HOUR_MS };
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const accounts = new Accounts(database, pino({ level: 'silent' }));
  const account = await accounts.create({ owner: 'acme', name: 'Acme', email: null, plan: 'free' }, change);
  const ended = () => createNewKey({ quotaId: account.id, status: 'revoked' });
  const keys = Array.from({ length: MAX_ENDED_KEYS + 1 }, ended);
  await registry.createKeys(keys, change);
  await database.close();
  return keys[0]!.id;
}

async function create(path: string, body: object): Promise<{ readonly id: string; readonly key: string }> {
  const response = await gateway.admin(path, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return (await response.json()) as { readonly id: string; readonly key: string };
}

async function callers(): Promise<number> {
  const response = await gateway.admin('/v1/operations/getPet/callers');
  return ((await response.json()) as Listed).items.length;
}
