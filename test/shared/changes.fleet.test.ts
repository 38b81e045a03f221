import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fleet, type Member } from '../support/fleet/fleet.ts';
import { until } from '../support/until.ts';
import { type SharedStorage, openSharedStorage } from '../support/fleet/shared-storage.ts';

let storage: SharedStorage;
let fleet: Fleet;
let here: Member;
let there: Member;

beforeAll(async () => {
  storage = await openSharedStorage();
  fleet = await Fleet.start(2, {
    ...storage.locations,
    // The limit is high because the test often calls revoked keys. The timeout is long because otherwise a slow machine
    // would look like an outage of Redis.
    settings: { guard: { failedAttempts: 100_000 }, redis: { commandTimeout: '2s' } },
  });
  [here, there] = fleet.members as [Member, Member];
});
afterAll(async () => {
  await fleet.stop();
  await storage.release();
});

const statusThere = async (secret: string) => (await there.get('/pets', secret)).status;

test('a ban and its lift apply to the next request', async () => {
  const { id, secret } = await fleet.createKey(10);
  expect(await statusThere(secret)).toBe(200);
  const ban = await here.admin('PUT', `/keys/${id}/ban`, { seconds: 60, reason: 'test' });
  expect(ban.status).toBe(200);
  expect(await there.get('/pets', secret)).toMatchObject({ status: 403, code: 'key_banned' });
  await here.admin('DELETE', `/keys/${id}/ban`, { reason: 'test' });
  expect(await statusThere(secret)).toBe(200);
});

test('a key that is revoked with its own secret is refused everywhere long before cached keys expire', async () => {
  const { secret } = await fleet.createKey(100);
  expect(await statusThere(secret)).toBe(200);
  const headers = { 'X-API-Key': secret };
  expect((await fetch(`${here.publicUrl}/_gateway/key/revoke`, { method: 'POST', headers })).status).toBe(200);
  await until(async () => (await there.get('/pets', secret)).code === 'key_revoked');
});

test('a change to limits applies long before cached keys expire, and counters carry over', async () => {
  const { id, secret } = await fleet.createKey(100);
  await there.get('/pets', secret);
  await here.admin('PATCH', `/keys/${id}`, { limits: { minute: 7, day: 8 } });
  await until(async () => (await there.get('/_gateway/usage', secret)).text.includes('"limit":7'));
  expect((await there.get('/pets', secret)).headers['x-ratelimit-remaining']).toBe('5');
});

test('a change to a plan applies long before cached keys expire', async () => {
  const { secret } = await fleet.createKey(0, 0, 'free');
  expect((await there.get('/pets', secret)).headers['x-ratelimit-limit']).toBe('60');
  const plan = { name: 'Free', limits: { minute: 50, day: 1000 } };
  expect((await here.admin('PUT', '/plans/free', plan)).status).toBe(200);
  await until(async () => (await there.get('/pets', secret)).headers['x-ratelimit-limit'] === '50');
});

test('changes made on one gateway apply on the other long before cached keys expire, 100 times in a row', async () => {
  const limitThere = async (secret: string) => Number((await there.get('/pets', secret)).headers['x-ratelimit-limit']);
  for (let round = 0; round < 100; round++) {
    const { id, secret } = await fleet.createKey(500);
    expect(await statusThere(secret)).toBe(200);
    await here.admin('PATCH', `/keys/${id}`, { limits: { minute: 600 + round, day: 10_000 } });
    await until(async () => (await limitThere(secret)) === 600 + round);
    await here.admin('PUT', '/plans/pro', { name: 'Pro', limits: { minute: 300 + round, day: 10_000 } });
    await here.admin('PATCH', `/keys/${id}`, { plan: 'pro' });
    await until(async () => (await limitThere(secret)) === 300 + round);
    await here.admin('PUT', `/keys/${id}/ban`, { seconds: 60, reason: 'test' });
    expect(await statusThere(secret)).toBe(403);
    expect((await here.admin('DELETE', `/keys/${id}`)).status).toBe(204);
    await until(async () => (await there.get('/pets', secret)).code === 'key_revoked');
  }
});

test('none of 200 concurrent changes to the same plan and keys is lost, and the audit log matches the records', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => fleet.createKey(100)));
  const changes = Array.from({ length: 200 }, (_, index) => {
    const gateway = index % 2 === 0 ? here : there;
    if (index % 5 === 0) {
      const plan = { name: `Business ${index}`, limits: { minute: 1000, day: 100_000 } };
      return untilAvailable(() => gateway.admin('PUT', '/plans/business', plan));
    }
    return untilAvailable(() => gateway.admin('PATCH', `/keys/${keys[index % 4]!.id}`, { name: `name ${index}` }));
  });
  const responses = await Promise.all(changes);
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);

  const subjects = ['business', ...keys.map(({ id }) => id)];
  let entries = 0;
  for (const subject of subjects) {
    const history = await listAudit(subject);
    entries += history.length;
    // Each change must be based on the result of the previous one.
    for (const [index, { before }] of history.entries()) {
      const previous = history[index + 1];
      if (previous !== undefined) expect(before?.['name']).toBe(previous.after['name']);
    }
    const path = subject === 'business' ? '/plans/business' : `/keys/${subject}`;
    expect((await there.admin('GET', path)).body['name']).toBe(history[0]?.after['name']);
  }
  expect(entries).toBe(200 + subjects.length);
});

/** Sends a change again for as long as it is refused because the wait for a connection to PostgreSQL was too long. */
async function untilAvailable(change: () => ReturnType<Member['admin']>): ReturnType<Member['admin']> {
  let response = await change();
  await until(async () => {
    if (response.status === 503) response = await change();
    return response.status !== 503;
  });
  return response;
}

interface Entry {
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown>;
}

/** Reads the entries of the audit log, newest first. */
async function listAudit(subject: string): Promise<Entry[]> {
  const { body } = await here.admin('GET', `/audit?subject=${subject}&limit=100`);
  return body['items'] as Entry[];
}
