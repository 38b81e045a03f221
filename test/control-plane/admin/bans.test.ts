import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createBanRecorder } from '../../../src/control-plane/registry/automatic-bans.ts';
import type { Decision } from '../../../src/data-plane/admission/decide.ts';
import { expectError, NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const limits = { minute: 1, day: 100 };
const create = async () =>
  (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'enterprise', limits })).body;
const bans = async (query = '') => (await admin.get(`/v1/bans${query}`)).body.items;

/** Makes calls until the quota is banned, and records the ban in the same way as the gateway. */
async function triggerBan(keyId: string, quotaId = keyId): Promise<Decision> {
  const record = createBanRecorder(admin.registry, pino({ enabled: false }));
  for (;;) {
    const decision = await admin.store.admit({ quotaId, cost: 1, limits, mode: 'enforce' });
    await record({ keyId, quotaId }, decision);
    if (decision.banStarted) return decision;
    admin.time.now += 1100;
  }
}

describe('a manual ban', () => {
  test('applies from the next request, and is listed with actor, reason and duration', async () => {
    const { id } = await create();
    const { status, body } = await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'scraping' });
    expect(status).toBe(200);
    expect(body).toEqual({
      keyId: id,
      quotaId: id,
      status: 'active',
      manual: true,
      level: 0,
      from: '2026-06-15T12:00:00.000Z',
      until: '2026-06-15T12:01:30.000Z',
      endedAt: null,
      actor: 'ops',
      reason: 'scraping',
      message: null,
      evidence: null,
      lift: null,
    });
    expect(await bans()).toEqual([body]);
    const decision = await admin.store.admit({ quotaId: id, cost: 1, limits, mode: 'enforce' });
    expect([decision.outcome, decision.retryAt]).toEqual(['banned', NOW + 90_000]);

    admin.time.now += 90_000;
    expect(await bans()).toEqual([{ ...body, status: 'expired', endedAt: body.until }]);
  });

  test('is lifted with actor and reason, and lifting it again changes nothing', async () => {
    const { id } = await create();
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'scraping' });
    admin.time.now += 10_000;
    expect((await admin.delete(`/v1/keys/${id}/ban`, { reason: 'they called' })).status).toBe(204);
    expect((await admin.delete(`/v1/keys/${id}/ban`)).status).toBe(204);
    const at = '2026-06-15T12:00:10.000Z';
    const lift = { at, actor: 'ops', reason: 'they called', message: null };
    expect(await bans()).toEqual([expect.objectContaining({ status: 'lifted', endedAt: at, lift })]);
    const { items } = (await admin.get(`/v1/audit?subject=${id}&limit=2`)).body;
    expect(items.map(({ action, reason }: Record<string, string>) => [action, reason])).toEqual([
      ['ban.lift', 'they called'],
      ['ban.start', 'scraping'],
    ]);
  });

  test('publishes an event when it starts and when it is lifted', async () => {
    const old = await create();
    const { id, quotaId } = (await admin.post(`/v1/keys/${old.id}/rotate`, {})).body;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'scraping' });
    admin.time.now += 10_000;
    await admin.delete(`/v1/keys/${id}/ban`, { reason: 'they called' });
    await admin.delete(`/v1/keys/${id}/ban`);
    const events = (await admin.get('/v1/events?limit=2')).body.items;
    const ban = { keyId: id, quotaId, from: '2026-06-15T12:00:00.000Z', until: '2026-06-15T12:01:30.000Z' };
    const about = { subject: id, owner: 'acme', source: 'gateway' };
    expect(quotaId).toBe(old.id);
    expect(events).toEqual([
      expect.objectContaining({ type: 'key.unbanned', ...about, at: '2026-06-15T12:00:10.000Z' }),
      expect.objectContaining({ type: 'key.banned', ...about, at: '2026-06-15T12:00:00.000Z' }),
    ]);
    expect(events[0].data).toEqual({ ...ban, level: 0, manual: true, reason: 'they called', message: null });
    expect(events[1].data).toEqual({ ...ban, level: 0, manual: true, reason: 'scraping', message: null });
  });

  test('has a message for the customer, as has its lift, and both are listed, audited and published', async () => {
    const { id } = await create();
    const [start, lift] = [
      { reason: 'scraping', message: 'Please use the export.' },
      { reason: 'they called', message: 'Thank you.' },
    ];
    const { body } = await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, ...start });
    expect(body).toMatchObject(start);
    expect((await admin.delete(`/v1/keys/${id}/ban`, lift)).status).toBe(204);
    expect(await bans()).toEqual([expect.objectContaining({ ...start, lift: expect.objectContaining(lift) })]);
    expect((await admin.get(`/v1/audit?subject=${id}&limit=2`)).body.items).toMatchObject([lift, start]);
    const csv = await admin.call('GET', `/v1/audit?subject=${id}&limit=1`, { headers: { Accept: 'text/csv' } });
    expect(csv.text).toMatch(/^sequence,.*,bulkId,message\n.*,they called,.*,Thank you\.\n$/);
    const events = (await admin.get('/v1/events?limit=2')).body.items;
    expect(events.map(({ data }: { data: object }) => data)).toMatchObject([lift, start]);
  });

  test('that was recorded without a message has none, because its reason is for operators', async () => {
    const { id } = await create();
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'scraping', message: 'x' });
    admin.database.sqlite.exec('UPDATE audit SET message = NULL');
    expect(await bans()).toEqual([expect.objectContaining({ reason: 'scraping', message: null })]);
  });

  test('that cannot be recorded is not published', async () => {
    const { id } = await create();
    admin.database.sqlite.exec('ALTER TABLE audit RENAME TO hidden');
    expect((await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'x' })).status).toBe(500);
    admin.database.sqlite.exec('ALTER TABLE hidden RENAME TO audit');
    expect((await admin.get('/v1/events?type=key.banned')).body.items).toEqual([]);
  });

  test('replaces an active ban', async () => {
    const { id } = await create();
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 90, reason: 'one' });
    admin.time.now += 10_000;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 5, reason: 'two' });
    expect(await bans()).toEqual([
      expect.objectContaining({ reason: 'two', status: 'active', until: '2026-06-15T12:00:15.000Z' }),
      expect.objectContaining({ reason: 'one', status: 'replaced', endedAt: '2026-06-15T12:00:10.000Z' }),
    ]);
  });

  test.each([
    [{ seconds: 0, reason: 'a' }, '/seconds'],
    [{ seconds: -5, reason: 'a' }, '/seconds'],
    [{ seconds: 1.5, reason: 'a' }, '/seconds'],
    [{ seconds: 1e12, reason: 'a' }, '/seconds'],
    [{ seconds: '60', reason: 'a' }, '/seconds'],
    [{ seconds: 60 }, '/reason'],
    [{ seconds: 60, reason: ' ' }, '/reason'],
    [{ seconds: 60, reason: 'a', level: 3 }, '/level'],
    [{ seconds: 60, reason: 'a', message: ' ' }, '/message'],
    [{ seconds: 60, reason: 'a', message: 'a'.repeat(501) }, '/message'],
    [{ seconds: 60, reason: 'a', message: `tg_live_${'a'.repeat(40)}` }, '/message'],
    [{ seconds: 60, message: 'a' }, '/reason'],
  ])('is rejected if its request is %j', async (json, path) => {
    const { id } = await create();
    expectError(await admin.put(`/v1/keys/${id}/ban`, json), 400, 'validation_failed', path);
    expect(await bans()).toEqual([]);
  });

  test('requires an existing key', async () => {
    expectError(await admin.put('/v1/keys/none/ban', { seconds: 1, reason: 'a' }), 404, 'key_not_found');
    expectError(await admin.delete('/v1/keys/none/ban', {}), 404, 'key_not_found');
  });
});

describe('an automatic ban', () => {
  test('is listed with its level and evidence', async () => {
    const { id } = await create();
    const { ban } = await triggerBan(id);
    const [listed] = await bans();
    expect(listed).toMatchObject({ keyId: id, status: 'active', manual: false, level: 1, actor: 'system' });
    expect([listed.from, listed.until]).toEqual([ban?.from, ban?.until].map((time) => new Date(time!).toISOString()));
    expect(listed.reason).toBe('10 calls without waiting for Retry-After');
    expect(listed.message).toBe(listed.reason);
    // Older gateways record no message.
    admin.database.sqlite.exec('UPDATE audit SET message = NULL');
    expect(await bans()).toEqual([listed]);
    expect(listed.evidence).toEqual({
      strikes: 10,
      windows: [
        { name: 'minute', limit: 1, used: 1, resetsAt: '2026-06-15T12:01:00.000Z' },
        { name: 'day', limit: 100, used: 1, resetsAt: '2026-06-16T00:00:00.000Z' },
      ],
    });
  });

  test('stays listed when lifted, and the next ban of the key has a higher level', async () => {
    const { id } = await create();
    await triggerBan(id);
    await admin.delete(`/v1/keys/${id}/ban`, { reason: 'a' });
    await triggerBan(id);
    expect(await bans()).toEqual([
      expect.objectContaining({ level: 2, status: 'active' }),
      expect.objectContaining({ level: 1, status: 'lifted' }),
    ]);
  });

  test('applies to the whole rotation chain, and is found by each key of the chain', async () => {
    const old = await create();
    const next = (await admin.post(`/v1/keys/${old.id}/rotate`, {})).body;
    await triggerBan(next.id, next.quotaId);
    for (const key of [old.id, next.id]) {
      expect(await bans(`?key=${key}`)).toEqual([expect.objectContaining({ keyId: next.id, quotaId: old.id })]);
    }
    expect((await admin.delete(`/v1/keys/${old.id}/ban`)).status).toBe(204);
    expect(await bans(`?key=${next.id}&status=lifted`)).toHaveLength(1);
    expect(await bans('?key=none')).toEqual([]);
  });

  test('is not recorded in shadow mode', async () => {
    const record = createBanRecorder(admin.registry, pino({ enabled: false }));
    let decision: Decision;
    do {
      decision = await admin.store.admit({ quotaId: 'q', cost: 1, limits, mode: 'shadow' });
      await record({ keyId: 'q', quotaId: 'q' }, decision);
      admin.time.now += 1100;
    } while (!decision.banStarted);
    expect(await bans()).toEqual([]);
  });

  test('is logged if it cannot be recorded', async () => {
    const lines: string[] = [];
    const record = createBanRecorder(admin.registry, pino({}, { write: (line: string) => void lines.push(line) }));
    const { id } = await create();
    const decision = await triggerBan(id);
    admin.database.sqlite.exec('PRAGMA query_only = ON');
    await record({ keyId: id, quotaId: id }, decision);
    admin.database.sqlite.exec('PRAGMA query_only = OFF');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 50, entry: expect.objectContaining({ subject: id, action: 'ban.start' }) }),
    ]);
  });
});

describe('the list of bans', () => {
  test('comes in pages, newest first, and can be filtered by status', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) {
      const { id } = await create();
      ids.unshift(id);
      await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: `${count}` });
      if (count % 2 === 1) await admin.delete(`/v1/keys/${id}/ban`);
    }
    const everyPage = async (query: string) => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { items, nextCursor } = (await admin.get(`/v1/bans?limit=2${query}${cursor}`)).body;
        expect(items.length).toBeLessThanOrEqual(2);
        seen.push(...items.map(({ keyId }: { keyId: string }) => keyId));
        cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      } while (cursor !== '');
      return seen;
    };
    expect(await everyPage('')).toEqual(ids);
    expect(await everyPage('&status=active')).toEqual(ids.filter((_, index) => index % 2 === 0));
    expect(await everyPage('&status=lifted')).toEqual(ids.filter((_, index) => index % 2 === 1));
    expect(await everyPage('&status=replaced')).toEqual([]);
    expect(await everyPage('&sort=from')).toEqual(ids.toReversed());
    expect(await everyPage('&sort=from&status=active')).toEqual(ids.filter((_, index) => index % 2 === 0).toReversed());
    expectError(await admin.get('/v1/bans?status=over'), 400, 'validation_failed', '/query/status');
  });

  test('can be sorted by end, length and actor, but only if the bans are active', async () => {
    const ids: string[] = [];
    for (const seconds of [90, 30, 60, 30, 10]) {
      const { id } = await create();
      ids.push(id);
      await admin.put(`/v1/keys/${id}/ban`, { seconds, reason: 'test' });
      admin.time.now += 2000;
    }
    await admin.put(`/v1/keys/${ids[3]}/ban`, { seconds: 300, reason: 'longer' });
    // One ban is lifted and another one expires, so that neither is active.
    await admin.delete(`/v1/keys/${ids[2]}/ban`, { reason: 'test' });
    admin.time.now += 10_000;
    const sorted = async (sort: string) => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { items, nextCursor } = (await admin.get(`/v1/bans?status=active&limit=1&sort=${sort}${cursor}`)).body;
        seen.push(
          ...items.map(({ keyId, until }: Record<string, string>) => `${ids.indexOf(keyId!)} ${until!.slice(14, 19)}`),
        );
        cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      } while (cursor !== '');
      return seen;
    };
    const byEnd = ['1 00:32', '0 01:30', '3 05:10'];
    expect([await sorted('until'), await sorted('-until')]).toEqual([byEnd, byEnd.toReversed()]);
    expect(await sorted('length')).toEqual(byEnd);
    // The same operator banned all of them.
    expect(await sorted('actor')).toEqual(['0 01:30', '1 00:32', '3 05:10']);
    for (const query of ['sort=until', 'sort=-length&status=lifted', 'sort=reason']) {
      expectError(await admin.get(`/v1/bans?${query}`), 400, 'validation_failed', '/query/sort');
    }
  });

  test('can be filtered by the owner of the keys', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'banned owner', plan: 'free' })).body;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'x' });
    await admin.post(`/v1/keys/${id}/rotate`, {});
    const { id: other } = (await admin.post('/v1/keys', { name: 'b', owner: 'other owner', plan: 'free' })).body;
    await admin.put(`/v1/keys/${other}/ban`, { seconds: 60, reason: 'x' });
    expect((await bans('?owner=banned%20owner')).map(({ keyId }: { keyId: string }) => keyId)).toEqual([id]);
    expect(await bans('?owner=banned%20owner&status=lifted')).toEqual([]);
    expect(await bans(`?owner=banned%20owner&key=${other}`)).toEqual([]);
    expectError(await admin.get('/v1/bans?owner=banned'), 400, 'validation_failed', '/query/owner');
  });
});
