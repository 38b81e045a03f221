import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from './support/until.ts';
import { startTestGateway, temporaryFolder, type TestGateway } from './support/gateway/gateway.ts';

let now = Date.UTC(2026, 10, 21, 12, 0, 0);
let gateway: TestGateway;
beforeAll(async () => {
  const shadowPlan = { id: 'trial', name: 'Trial', limits: { minute: 60, day: 1000 }, mode: 'shadow' };
  gateway = await startTestGateway({ clock: () => now });
  await gateway.admin('/v1/plans', { method: 'POST', body: JSON.stringify(shadowPlan) });
});
afterAll(() => gateway.stop());

async function exhaustedKey(plan = 'free'): Promise<{ id: string; key: string }> {
  const body = JSON.stringify({ owner: 'acme', name: 'test', plan });
  const created = (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as never;
  await call(created, 60);
  return created;
}

/** @returns the statuses of this number of concurrent calls */
async function call({ key }: { key: string }, count: number): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => gateway.call('/pets', { key })));
  return responses.map(({ status }) => status);
}

async function listBans({ id }: { id: string }): Promise<Record<string, unknown>[]> {
  return ((await (await gateway.admin(`/v1/bans?key=${id}`)).json()) as { items: [] }).items;
}

/** Types and data of a key's ban events, oldest first. */
async function listBanEvents({ id }: { id: string }): Promise<[string, Record<string, unknown>][]> {
  const { items } = (await (await gateway.admin(`/v1/events?subject=${id}&limit=100`)).json()) as {
    items: { type: string; owner: string; data: Record<string, unknown> }[];
  };
  expect(new Set(items.map(({ owner }) => owner))).toEqual(new Set(['acme']));
  return items
    .toReversed()
    .filter(({ type }) => type.endsWith('banned'))
    .map(({ type, data }) => [type, data]);
}

/** The active ban as the caller sees it. */
async function ownBan({ key }: { key: string }): Promise<unknown> {
  return ((await (await gateway.call('/_gateway/usage', { key })).json()) as { ban: unknown }).ban;
}

async function triggerBan(key: { key: string }): Promise<number[]> {
  await call(key, 1);
  now += 1001;
  const statuses = [];
  for (let count = 0; count < 10; count++) statuses.push(...(await call(key, 1)));
  return statuses;
}

test('ten calls before Retry-After has passed ban the key for a minute, and the ban is listed with its evidence', async () => {
  const key = await exhaustedKey();
  const exhaustedAt = now;
  expect(await triggerBan(key)).toEqual([429, 429, 429, 429, 429, 429, 429, 429, 429, 403]);
  const banned = await gateway.call('/pets', key);
  expect(await banned.json()).toMatchObject({ code: 'key_banned', status: 403 });
  expect(banned.headers.get('retry-after')).toBe('60');
  expect(await listBans(key)).toEqual([
    {
      keyId: key.id,
      quotaId: key.id,
      status: 'active',
      manual: false,
      level: 1,
      from: new Date(now).toISOString(),
      until: new Date(now + 60_000).toISOString(),
      endedAt: null,
      actor: 'system',
      reason: '10 calls without waiting for Retry-After',
      message: '10 calls without waiting for Retry-After',
      evidence: {
        strikes: 10,
        windows: [
          { name: 'minute', limit: 60, used: 60, resetsAt: new Date(exhaustedAt + 60_000).toISOString() },
          { name: 'day', limit: 1000, used: 60, resetsAt: '2026-11-22T00:00:00.000Z' },
        ],
      },
      lift: null,
    },
  ]);
  const lines = gateway.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'ban started');
  const banUntil = new Date(now + 60_000).toISOString();
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      banLevel: 1,
      keyId: key.id,
      owner: 'acme',
      plan: 'free',
      strikes: 10,
      until: banUntil,
    }),
  ]);
  await until(async () => (await listBanEvents(key)).length > 0);
  const reason = '10 calls without waiting for Retry-After';
  const ban = { from: new Date(now).toISOString(), until: banUntil, level: 1, manual: false };
  const both = { reason, message: reason };
  expect(await listBanEvents(key)).toEqual([['key.banned', { keyId: key.id, quotaId: key.id, ...ban, ...both }]]);
  expect(await ownBan(key)).toEqual({ ...ban, reason: null, message: reason });
});

test('after a ban is lifted, the quota applies to the next call', async () => {
  const key = await exhaustedKey();
  await triggerBan(key);
  expect(await call(key, 1)).toEqual([403]);
  const body = JSON.stringify({ reason: 'they called' });
  expect((await gateway.admin(`/v1/keys/${key.id}/ban`, { method: 'DELETE', body })).status).toBe(204);
  expect(await call(key, 1)).toEqual([429]);
  expect(await listBans(key)).toEqual([
    expect.objectContaining({ status: 'lifted', lift: expect.objectContaining({ reason: 'they called' }) }),
  ]);
  await until(async () => (await listBanEvents(key)).length > 1);
  const events = new Map(await listBanEvents(key));
  const texts = { reason: 'they called', message: null };
  expect(events.get('key.unbanned')).toEqual({ ...events.get('key.banned'), ...texts });
});

// The console labels this reason "For the audit log", but it was once quoted to the customer.
test('the response to a manually banned key has the message of the ban, but not its reason', async () => {
  const key = await exhaustedKey();
  expect(await ownBan(key)).toBeNull();
  const ban = async (texts: object) => {
    const body = JSON.stringify({ seconds: 60, ...texts });
    expect((await gateway.admin(`/v1/keys/${key.id}/ban`, { method: 'PUT', body })).status).toBe(200);
  };
  await ban({ reason: 'scraping' });
  const times = { from: new Date(now).toISOString(), until: new Date(now + 60_000).toISOString() };
  const seen = { ...times, level: 0, manual: true, reason: null };
  expect(await ownBan(key)).toEqual({ ...seen, message: null });
  await ban({ reason: 'scraping', message: 'Please use the export.' });
  expect(await ownBan(key)).toEqual({ ...seen, message: 'Please use the export.' });
});

test('a ban that was not recorded before a crash is recorded after the restart', async () => {
  const dataDir = temporaryFolder();
  const sharedGateway = gateway;
  gateway = await startTestGateway({ clock: () => now, dataDir });
  try {
    const key = await exhaustedKey();
    await triggerBan(key);
    await gateway.stop();
    // Simulates a gateway that was killed before it recorded the ban.
    const database = new DatabaseSync(join(dataDir, 'tollgate.db'));
    database.exec(`DELETE FROM events WHERE type = 'key.banned'; DELETE FROM audit WHERE action = 'ban.start'`);
    database.close();
    now += 10_000;
    gateway = await startTestGateway({ clock: () => now, dataDir });
    expect(await listBans(key)).toEqual([]);
    expect(await call(key, 3)).toEqual([403, 403, 403]);
    await until(async () => (await listBans(key)).length > 0);
    expect(await listBanEvents(key)).toEqual([['key.banned', expect.objectContaining({ level: 1, manual: false })]]);
  } finally {
    await gateway.stop();
    rmSync(dataDir, { recursive: true });
    gateway = sharedGateway;
  }
});

test('refused calls that are sent concurrently do not start a ban', async () => {
  const key = await exhaustedKey();
  expect(new Set(await call(key, 60))).toEqual(new Set([429]));
  expect(await listBans(key)).toEqual([]);
});

test('a plan in shadow mode neither starts nor lists bans', async () => {
  const key = await exhaustedKey('trial');
  expect(new Set(await triggerBan(key))).toEqual(new Set([200]));
  expect(await listBans(key)).toEqual([]);
});
