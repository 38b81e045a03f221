import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { StoreUnavailable } from '../../src/base/error-types.ts';
import { Events } from '../../src/control-plane/events/events.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { MemoryStore } from '../../src/data-plane/admission/embedded/memory-store.ts';
import type { AdmissionStore } from '../../src/data-plane/boundary-types.ts';
import type { Database } from '../../src/storage/database.ts';
import { defaultPolicy } from '../support/models/admission-history.ts';
import { type Admin, expectError, NOW, startAdmin, VIEWER } from '../support/gateway/admin.ts';
import { enterprise, free, createNewKey, pro, createSuccessor } from '../support/registry-data.ts';

const change = { actor: 'setup', reason: null, at: NOW };
const DAY = 86_400_000;

interface Keys {
  readonly ids: readonly string[];
}

/**
 * Declares the tests of bulk changes of keys through the admin API, which every database must pass.
 *
 * @param open opens an empty database
 */
export function bulkChangesContract(
  name: string,
  open: () => Promise<{ readonly database: Database; readonly close: () => Promise<void> }>,
): void {
  describe(`with ${name}, bulk changes of keys`, () => {
    let admin: Admin;
    let registry: Registry;
    let events: Events;
    let close: () => Promise<void>;
    /** The number of calls after which the store becomes unavailable. */
    let calls = Infinity;
    let owners = 0;
    const store = new MemoryStore({ clock: () => admin.time.now, policy: defaultPolicy });

    beforeAll(async () => {
      const opened = await open();
      close = opened.close;
      registry = new Registry(opened.database);
      events = new Events(opened.database, pino({ level: 'silent' }));
      await registry.seedPlans([free, pro, enterprise], change);
      const limited = <Args extends unknown[], T>(work: (...args: Args) => T) => {
        return (...args: Args): T => {
          calls -= 1;
          if (calls < 0) throw new StoreUnavailable('away');
          return work(...args);
        };
      };
      const failing: AdmissionStore = {
        admit: (request) => store.admit(request),
        inspect: (quotaId, limits) => store.inspect(quotaId, limits),
        ban: limited((quotaId: string, durationMs: number) => store.ban(quotaId, durationMs)),
        lift: limited((quotaId: string) => store.lift(quotaId)),
        reset: (quotaId, window) => store.reset(quotaId, window),
        close: () => store.close(),
      };
      admin = await startAdmin({ registry, events, store: failing });
    });
    afterAll(async () => {
      await admin.stop();
      await events.close();
      await close();
    });

    const newOwner = () => `owner ${(owners += 1)}`;
    async function create(count: number, over: Partial<NewKey> = {}): Promise<Keys> {
      const keys = Array.from({ length: count }, () => createNewKey(over));
      await registry.createKeys(keys, change);
      return { ids: keys.map(({ id }) => id) };
    }
    const bulk = (body: object) => admin.post('/v1/keys/bulk', body);
    async function previewed(body: object) {
      const { status, body: preview } = await bulk({ ...body, preview: true });
      expect(status).toBe(200);
      return { preview, call: () => bulk({ ...body, digest: preview.digest }) };
    }
    /**
     * Previews and runs a bulk change.
     *
     * @returns the progress after each call
     */
    async function done(body: object) {
      const { call } = await previewed(body);
      // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
      const progress: any[] = [];
      do {
        const response = await call();
        expect(response.status).toBe(200);
        progress.push(response.body);
      } while (progress.at(-1).finished !== true);
      return progress;
    }
    async function statuses(owner: string): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      let cursor: string | undefined;
      do {
        const page = await registry.listKeys({ owner }, { limit: 100, cursor });
        for (const { status } of page.items) counts[status] = (counts[status] ?? 0) + 1;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return counts;
    }
    const audit = async (query: string) => (await admin.get(`/v1/audit?limit=1000&${query}`)).body.items;

    test('reject an unknown id of a bulk change, and match no keys of a known one that cannot change any more', async () => {
      const bulkId = `bulk_${'0'.repeat(20)}`;
      const { status, body } = await bulk({ action: 'enable', filter: { bulkId }, preview: true });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.details).toEqual([
        { path: '/filter/bulkId', message: `is unknown: there is no bulk change ${bulkId}` },
      ]);
      const { ids } = await create(2, { owner: newOwner() });
      const [{ bulkId: known }] = await done({ action: 'revoke', filter: { ids } });
      const { preview } = await previewed({ action: 'enable', filter: { bulkId: known } });
      expect(preview).toMatchObject({ keys: 0, total: 0 });
    });

    test('disable 500 keys of an owner, 100 per call, with an audit entry for the whole and one per key', async () => {
      const owner = newOwner();
      await create(500, { owner });
      const other = await create(1, { owner: newOwner() });
      const { preview } = await previewed({ action: 'disable', filter: { owner } });
      expect(preview).toMatchObject({ action: 'disable', keys: 500, total: 500 });
      expect(preview.sample).toHaveLength(10);
      expect(preview.sample[0]).toMatchObject({ owner, status: 'active' });
      expect(await statuses(owner)).toEqual({ active: 500 });

      const progress = await done({ action: 'disable', filter: { owner }, reason: 'contract ended' });
      expect(progress.map((each) => each.done)).toEqual([100, 200, 300, 400, 500]);
      const [{ bulkId }] = progress;
      const counts = { keys: 500, total: 500, done: 500, changed: 500, skipped: 0 };
      const last = { bulkId, action: 'disable', ...counts, finished: true };
      expect(progress.at(-1)).toEqual(last);
      expect(await statuses(owner)).toEqual({ disabled: 500 });
      expect((await registry.getKey(other.ids[0]!))?.status).toBe('active');

      const entries = await audit(`bulkId=${bulkId}`);
      const whole = entries.filter(({ action }: { action: string }) => action === 'bulk.start');
      expect(whole).toEqual([
        expect.objectContaining({
          subject: bulkId,
          actor: 'ops',
          reason: 'contract ended',
          bulkId,
          before: null,
          after: { action: 'disable', owner, keys: 500, total: 500 },
        }),
      ]);
      const each = entries.filter(({ action }: { action: string }) => action === 'key.update');
      expect(new Set(each.map(({ subject }: { subject: string }) => subject)).size).toBe(500);
      expect(each[0]).toMatchObject({ actor: 'ops', reason: 'contract ended', after: { status: 'disabled' }, bulkId });
    });

    test('change nothing twice if a request is repeated, and stay finished once they are', async () => {
      const owner = newOwner();
      await create(150, { owner });
      const { call } = await previewed({ action: 'disable', filter: { owner }, reason: 'lost' });
      const [first, second] = await Promise.all([call(), call()]);
      expect(first.body.bulkId).toBe(second.body.bulkId);
      const last = (await call()).body;
      expect(last).toMatchObject({ done: 150, changed: 150, finished: true });
      expect((await call()).body).toEqual(last);
      expect(await audit(`bulkId=${last.bulkId}`)).toHaveLength(151);
      // A new preview of the same keys must start a new change.
      await done({ action: 'enable', filter: { owner } });
      const [again] = await done({ action: 'disable', filter: { owner } });
      expect(again.bulkId).not.toBe(last.bulkId);
      expect(await statuses(owner)).toEqual({ disabled: 150 });
    });

    test('return 412 and change nothing if the matching keys have changed since the preview', async () => {
      const owner = newOwner();
      const { ids } = await create(3, { owner });
      const added = await previewed({ action: 'revoke', filter: { owner } });
      await create(1, { owner });
      const response = await added.call();
      expectError(response, 412, 'precondition_failed');
      expect(response.body.message).toContain('Preview them again');
      const removed = await previewed({ action: 'revoke', filter: { owner } });
      await registry.updateKey(ids[0]!, { status: 'revoked' }, change);
      expectError(await removed.call(), 412, 'precondition_failed');
      expect(await statuses(owner)).toEqual({ active: 3, revoked: 1 });
    });

    test('that two operators start for the same keys do not interfere with each other', async () => {
      const owner = newOwner();
      await create(120, { owner });
      const filter = { owner };
      const [one, other] = [
        await previewed({ action: 'revoke', filter }),
        await previewed({ action: 'revoke', filter }),
      ];
      expect(one.preview.digest).not.toBe(other.preview.digest);
      await one.call();
      expectError(await other.call(), 412, 'precondition_failed');
      expect((await one.call()).body).toMatchObject({ finished: true, changed: 120 });
    });

    test('do not enable a key that is revoked while they run', async () => {
      const owner = newOwner();
      const { ids } = await create(201, { owner, status: 'disabled' });
      const { call } = await previewed({ action: 'enable', filter: { owner } });
      await call();
      await registry.updateKey(ids[0]!, { status: 'revoked' }, change);
      await call();
      expect((await call()).body).toMatchObject({ done: 201, changed: 200, finished: true });
      expect(await statuses(owner)).toEqual({ active: 200, revoked: 1 });
    });

    test('disable replaced keys with their replacement, and an undo enables exactly the disabled keys', async () => {
      const owner = newOwner();
      const [first, left] = (await create(2, { owner })).ids;
      await registry.rotateKey(first!, createSuccessor(), { oldExpiresAt: NOW + DAY }, change);
      const newest = (await registry.getKey(first!))?.rotatedTo ?? '';
      await registry.updateKey(left!, { status: 'disabled' }, change);
      const [{ bulkId, changed }] = await done({ action: 'disable', filter: { ids: [newest] } });
      expect(changed).toBe(2);
      expect(await statuses(owner)).toEqual({ disabled: 3 });
      const { preview } = await previewed({ action: 'enable', filter: { bulkId } });
      expect(preview.keys).toBe(2);
      expect(await done({ action: 'enable', filter: { bulkId } })).toMatchObject([{ done: 2, changed: 2 }]);
      expect((await registry.getKey(first!))?.status).toBe('active');
      expect((await registry.getKey(newest))?.status).toBe('active');
      expect((await registry.getKey(left!))?.status).toBe('disabled');
    });

    // The preview once counted the replaced keys of a chain, too, although enabling its newest key does not change
    // them. If they matched, it even counted them twice.
    test.each([
      ['enable', 'disabled'],
      ['disable', 'active'],
      ['revoke', 'active'],
    ] as const)('that %s a rotation chain count and audit each of its keys once', async (action, status) => {
      const owner = newOwner();
      const [first] = (await create(1, { owner })).ids;
      for (let [id, rotations] = [first!, 0]; rotations < 3; rotations++) {
        id = (await registry.rotateKey(id, createSuccessor(), { oldExpiresAt: NOW + DAY }, change)).id;
      }
      const ids = (await registry.listKeys({ owner }, { limit: 10 })).items.map(({ id }) => id);
      if (status === 'disabled') await done({ action: 'disable', filter: { owner } });
      const [progress, ...more] = await done({ action, filter: { owner } });
      expect([progress, more]).toEqual([expect.objectContaining({ keys: 4, done: 4, changed: 4, finished: true }), []]);
      const subjects = (await audit(`bulkId=${progress.bulkId}`)).map(({ subject }: { subject: string }) => subject);
      expect(subjects.toSorted()).toEqual([String(progress.bulkId), ...ids].toSorted());
    });

    test('combine their filters, and match only keys that the action changes', async () => {
      const owner = newOwner();
      await create(2, { owner, name: 'Tills' });
      await create(1, { owner, name: 'Tills', plan: 'pro' });
      await create(1, { owner, name: 'Tills', status: 'disabled' });
      await create(1, { owner, name: 'Tills', status: 'revoked' });
      const count = async (action: string, filter: object) =>
        (await bulk({ action, filter, preview: true })).body.keys as number;
      expect(await count('disable', { owner, q: 'tills' })).toBe(3);
      expect(await count('disable', { owner, plan: 'pro' })).toBe(1);
      expect(await count('enable', { owner })).toBe(1);
      expect(await count('revoke', { owner })).toBe(4);
      expect(await count('ban', { owner })).toBe(4);
      expect(await count('disable', { owner, q: 'shops' })).toBe(0);
    });

    const setLastUse = async (id: string, at: number) => registry.touchKeys(new Map([[id, at]]));

    test('show in the preview how many of the keys were used since midnight', async () => {
      const owner = newOwner();
      const { ids } = await create(4, { owner, createdAt: admin.time.now - 100 * DAY });
      const midnight = Math.floor(admin.time.now / DAY) * DAY;
      await setLastUse(ids[0]!, midnight);
      await setLastUse(ids[1]!, admin.time.now);
      await setLastUse(ids[2]!, midnight - 1);
      for (const action of ['disable', 'ban']) {
        // oxlint-disable-next-line no-await-in-loop -- each action has a preview of its own
        expect((await previewed({ action, filter: { owner } })).preview).toMatchObject({ keys: 4, usedToday: 2 });
      }
    });

    test('show in the preview whether other keys that the action affects were used', async () => {
      const [old] = (await create(1, { owner: newOwner(), createdAt: admin.time.now - 100 * DAY })).ids;
      const rotation = { oldExpiresAt: admin.time.now + DAY };
      const { id } = await registry.rotateKey(old!, createSuccessor(), rotation, change);
      const countUsed = async (action: string, key: string) =>
        (await previewed({ action, filter: { ids: [key] } })).preview.usedToday;
      await setLastUse(old!, admin.time.now);
      for (const action of ['disable', 'revoke', 'ban', 'lift']) {
        // oxlint-disable-next-line no-await-in-loop -- each action has a preview of its own
        expect([action, await countUsed(action, id)]).toEqual([action, 1]);
      }
      await setLastUse(id, admin.time.now);
      const unused = createNewKey({ owner: newOwner(), quotaId: 'acc_shared' });
      const used = createNewKey({ owner: unused.owner, quotaId: 'acc_shared' });
      await registry.createKeys([unused, used], change);
      await setLastUse(used.id, admin.time.now);
      expect([await countUsed('ban', unused.id), await countUsed('revoke', unused.id)]).toEqual([1, 0]);
    });

    test('show in the preview how many replaced keys change too, counting each once', async () => {
      const owner = newOwner();
      const { ids } = await create(3, { owner, createdAt: admin.time.now - 100 * DAY });
      const rotate = async (old: string, oldExpiresAt: number) =>
        (await registry.rotateKey(old, createSuccessor(), { oldExpiresAt }, change)).id;
      const middle = await rotate(ids[0]!, admin.time.now + DAY);
      const newest = await rotate(middle, admin.time.now + DAY);
      const other = await rotate(ids[1]!, admin.time.now - 1);
      await setLastUse(ids[0]!, admin.time.now);
      const replacedBy = async (action: string, ...chosen: string[]) =>
        (await previewed({ action, filter: { ids: chosen } })).preview.replaced;
      expect(await replacedBy('disable', newest, other, ids[2]!)).toEqual({ keys: 2, usedToday: 1 });
      expect(await replacedBy('revoke', newest, ids[0]!)).toEqual({ keys: 1, usedToday: 0 });
      expect(await replacedBy('revoke', ids[0]!, other)).toEqual({ keys: 0, usedToday: 0 });
      expect(await replacedBy('ban', newest)).toEqual({ keys: 0, usedToday: 0 });
    });

    test('affect keys that can be listed by their quota and by the key that replaced them', async () => {
      const owner = newOwner();
      const [first, other] = (await create(2, { owner })).ids;
      const rotation = { oldExpiresAt: admin.time.now + DAY };
      const { id: second } = await registry.rotateKey(first!, createSuccessor(), rotation, change);
      const { id: third } = await registry.rotateKey(second, createSuccessor(), rotation, change);
      const found = async (query: string) => {
        const { body } = await admin.get(`/v1/keys?${query}`);
        return body.items.map(({ id }: { id: string }) => id);
      };
      expect(await found(`replacedBy=${third}`)).toEqual([second, first]);
      expect(await found(`replacedBy=${third}&sort=createdAt`)).toEqual([first, second]);
      expect(await found(`replacedBy=${first}`)).toEqual([]);
      expect(await found(`replacedBy=${other}`)).toEqual([]);
      expect(await found(`quotaId=${first}&owner=${encodeURIComponent(owner)}`)).toEqual([third, second, first]);
      const unknown = await admin.get('/v1/keys?replacedBy=key_0&quotaId=acc_0');
      expect(unknown.body.details).toEqual([
        { path: '/query/quotaId', message: 'is unknown: there is no key with the quota acc_0' },
        { path: '/query/replacedBy', message: 'is unknown: there is no key key_0' },
      ]);
    });

    test('do not change keys that become unused for long enough only after the preview', async () => {
      const owner = newOwner();
      const [old, fresh] = (await create(2, { owner, createdAt: admin.time.now - 100 * DAY })).ids;
      await setLastUse(fresh!, admin.time.now - 90 * DAY + 1000);
      const body = { action: 'disable', filter: { owner, unusedFor: '90d' } };
      const { preview, call } = await previewed(body);
      expect(preview).toMatchObject({ keys: 1, total: 1 });
      admin.time.now += DAY;
      expect((await call()).body).toMatchObject({ done: 1, changed: 1, skipped: 0, finished: true });
      expect([(await registry.getKey(old!))?.status, (await registry.getKey(fresh!))?.status]).toEqual([
        'disabled',
        'active',
      ]);
      // The key has now been unused for long enough.
      expect((await previewed(body)).preview).toMatchObject({ keys: 1 });
    });

    test('return 412 if a key was used since the preview, and skip a key that is used while they run', async () => {
      const owner = newOwner();
      const { ids } = await create(150, { owner, createdAt: admin.time.now - 100 * DAY });
      const body = { action: 'revoke', filter: { owner, unusedFor: '90d' } };
      const early = await previewed(body);
      await setLastUse(ids[149]!, admin.time.now);
      expectError(await early.call(), 412, 'precondition_failed');
      expect(await statuses(owner)).toEqual({ active: 150 });

      const { preview, call } = await previewed(body);
      expect(preview.keys).toBe(149);
      await call();
      // The newest keys are changed first.
      await setLastUse(ids[0]!, admin.time.now);
      expect((await call()).body).toMatchObject({ done: 149, changed: 148, skipped: 1, finished: true });
      expect((await registry.getKey(ids[0]!))?.status).toBe('active');
    });

    test('can be filtered by status, state and expiry, like the list of keys', async () => {
      const owner = newOwner();
      const { ids } = await create(4, { owner });
      const [soon] = (await create(1, { owner, expiresAt: admin.time.now + 3 * DAY })).ids;
      const [expired] = (await create(1, { owner, expiresAt: admin.time.now - 1000 })).ids;
      await registry.updateKey(ids[0]!, { status: 'disabled' }, change);
      await registry.rotateKey(ids[1]!, createSuccessor(), { oldExpiresAt: admin.time.now + DAY }, change);
      await done({ action: 'ban', filter: { ids: [ids[2]] }, seconds: 600, reason: 'test' });
      const found = async (filter: object) => {
        const { body } = await bulk({ action: 'revoke', filter: { owner, ...filter }, preview: true });
        return body.sample.map(({ id }: { id: string }) => id);
      };
      expect(await found({ status: 'disabled' })).toEqual([ids[0]]);
      expect(await found({ state: 'rotating' })).toEqual([ids[1]]);
      expect(await found({ state: 'banned' })).toEqual([ids[2]]);
      expect(await found({ state: 'expired' })).toEqual([expired]);
      expect(await found({ expiresWithin: '7d' })).toEqual([soon]);
      expect(await found({ status: 'revoked' })).toEqual([]);
      expect(await found({ state: 'banned', expiresWithin: '7d' })).toEqual([]);
    });

    test('do not lift bans that started after the preview', async () => {
      const owner = newOwner();
      const { ids } = await create(2, { owner });
      await done({ action: 'ban', filter: { ids: [ids[0]] }, seconds: 600, reason: 'test' });
      const { preview, call } = await previewed({ action: 'lift', filter: { owner, state: 'banned' }, reason: 'over' });
      expect(preview).toMatchObject({ keys: 1, total: 1 });
      admin.time.now += 1000;
      await done({ action: 'ban', filter: { ids: [ids[1]] }, seconds: 600, reason: 'test' });
      expect((await call()).body).toMatchObject({ changed: 1, finished: true });
      expect((await admin.get(`/v1/bans?owner=${encodeURIComponent(owner)}&status=active`)).body.items).toMatchObject([
        { keyId: ids[1] },
      ]);
    });

    test('ban each quota once, and can lift these bans by the id of the bulk change', async () => {
      const owner = newOwner();
      const account = 'acc_00000000000000000001';
      await create(30, { owner, quotaId: account });
      const { ids } = await create(120, { owner });
      const progress = await done({
        action: 'ban',
        filter: { owner },
        seconds: 3600,
        reason: 'attack',
        message: 'Slow down.',
      });
      const [{ bulkId }] = progress;
      expect(progress.at(-1)).toMatchObject({ keys: 150, total: 121, done: 121, changed: 121, finished: true });
      const starts = await audit(`bulkId=${bulkId}&action=ban.start`);
      expect(new Set(starts.map(({ subject }: { subject: string }) => subject))).toEqual(new Set([account, ...ids]));
      expect(starts).toHaveLength(121);
      const { body } = await admin.get(`/v1/bans?key=${account}`);
      expect(body.items).toMatchObject([{ status: 'active', manual: true, reason: 'attack', message: 'Slow down.' }]);
      expect((await audit(`subject=${bulkId}`))[0]).toMatchObject({ action: 'bulk.start', message: 'Slow down.' });

      const lifted = await done({ action: 'lift', filter: { bulkId }, reason: 'over', message: 'Thank you.' });
      expect(lifted.at(-1)).toMatchObject({ total: 121, changed: 121 });
      const after = (await admin.get(`/v1/bans?key=${account}`)).body.items;
      expect(after).toMatchObject([
        { status: 'lifted', lift: { actor: 'ops', reason: 'over', message: 'Thank you.' } },
      ]);
      expect((await done({ action: 'lift', filter: { owner }, reason: 'over' })).at(-1)).toMatchObject({
        total: 121,
        done: 121,
        changed: 0,
      });
      const events = (await admin.get('/v1/events?type=key.unbanned&limit=1')).body.items;
      expect(events[0]?.data).toMatchObject({ quotaId: expect.any(String), reason: 'over', message: 'Thank you.' });
    });

    test('report their progress when the store becomes unavailable, and continue with the same request', async () => {
      const owner = newOwner();
      await create(130, { owner });
      const { call } = await previewed({ action: 'ban', filter: { owner }, seconds: 600, reason: 'attack' });
      calls = 37;
      const away = await call();
      expectError(away, 503, 'store_unavailable');
      expect(away.body.message).toMatch(/has banned 37 of 130 so far/);
      expect(away.headers.get('retry-after')).not.toBeNull();
      expectError(await call(), 503, 'store_unavailable');
      calls = Infinity;
      admin.time.now += 1000;
      expect((await call()).body).toMatchObject({ done: 100, finished: false });
      const { bulkId } = (await call()).body;
      const starts = await audit(`bulkId=${bulkId}&action=ban.start`);
      expect(starts).toHaveLength(130);
      const from = starts.map(({ after }: { after: { from: string } }) => Date.parse(after.from));
      expect(from.filter((each: number) => each === admin.time.now - 1000)).toHaveLength(37);
    });

    test('record a ban that a gateway started but did not record, and do not start it again', async () => {
      const owner = newOwner();
      const { ids } = await create(2, { owner });
      const { call } = await previewed({ action: 'ban', filter: { owner }, seconds: 600, reason: 'attack' });
      // A gateway that crashes before it records a ban leaves this state.
      const { from } = store.ban(ids[0]!, 600_000);
      admin.time.now += 5000;
      expect((await call()).body).toMatchObject({ changed: 2, finished: true });
      const [entry] = await audit(`subject=${ids[0]}&action=ban.start`);
      expect(Date.parse(entry.after.from)).toBe(from);
      // A ban that was recorded is replaced, as when a single key is banned.
      admin.time.now += 5000;
      await done({ action: 'ban', filter: { owner }, seconds: 600, reason: 'again' });
      const [again] = await audit(`subject=${ids[0]}&action=ban.start`);
      expect(Date.parse(again.after.from)).toBe(admin.time.now);
    });

    test('keep the reason of the first call if later calls have none', async () => {
      const owner = newOwner();
      await create(101, { owner });
      const filter = { owner };
      const { preview } = await previewed({ action: 'revoke', filter });
      const body = { action: 'revoke', filter, digest: preview.digest };
      const { bulkId } = (await bulk({ ...body, reason: 'leak' })).body;
      await bulk(body);
      const reasons = (await audit(`bulkId=${bulkId}`)).map(({ reason }: { reason: string }) => reason);
      expect(new Set(reasons)).toEqual(new Set(['leak']));
      expect(reasons).toHaveLength(102);
      expect(await statuses(owner)).toEqual({ revoked: 101 });
    });

    test('keep the message to the customer of the first call if later calls have none', async () => {
      const owner = newOwner();
      await create(101, { owner });
      const filter = { owner };
      const { preview } = await previewed({ action: 'ban', filter });
      const body = { action: 'ban', filter, digest: preview.digest, seconds: 600, reason: 'attack' };
      const { bulkId } = (await bulk({ ...body, message: 'Slow down.' })).body;
      expect((await bulk(body)).body).toMatchObject({ finished: true });
      const messages = (await audit(`bulkId=${bulkId}`)).map(({ message }: { message: string }) => message);
      expect(new Set(messages)).toEqual(new Set(['Slow down.']));
      const { items } = (await admin.get('/v1/events?type=key.banned&limit=101')).body;
      expect(new Set(items.map(({ data }: { data: { message: string } }) => data.message))).toEqual(
        new Set(['Slow down.']),
      );
    });

    test('reject invalid requests, and the error names the field', async () => {
      const owner = newOwner();
      const { ids } = await create(1, { owner });
      const filter = { owner };
      const refused = async (body: object, ...paths: string[]) =>
        expectError(await bulk(body), 400, 'validation_failed', ...paths);
      await refused({ action: 'disable', filter: {}, preview: true }, '/filter');
      await refused({ action: 'disable', preview: true }, '/filter');
      await refused({ action: 'disable', filter: { owner: '' }, preview: true }, '/filter/owner');
      await refused({ action: 'disable', filter: { ids: [] }, preview: true }, '/filter/ids');
      await refused({ action: 'delete', filter, preview: true }, '/action');
      await refused({ action: 'disable', filter: { owner: `${owner}0` }, preview: true }, '/filter/owner');
      await refused({ action: 'disable', filter: { ids: [ids[0], 'key_none'] }, preview: true }, '/filter/ids/1');
      await refused({ action: 'disable', filter }, '/digest');
      const { preview } = await previewed({ action: 'ban', filter });
      const { digest } = preview;
      await refused({ action: 'ban', filter, digest, reason: 'a' }, '/seconds');
      await refused({ action: 'ban', filter, digest, seconds: 60 }, '/reason');
      await refused({ action: 'disable', filter, digest, seconds: 60 }, '/seconds');
      await refused({ action: 'disable', filter, digest, message: 'a' }, '/message');
      await refused({ action: 'disable', filter, message: 'a', preview: true }, '/message');
      await refused({ action: 'ban', filter, digest, preview: true }, '/digest');
      expectError(await bulk({ action: 'disable', filter, digest }), 412, 'precondition_failed');
      await bulk({ action: 'ban', filter, digest, seconds: 60, reason: 'a' });
      const other = { action: 'ban', filter, digest, seconds: 61, reason: 'a' };
      expectError(await bulk(other), 409, 'conflict');
      const none = await previewed({ action: 'enable', filter });
      expect(none.preview).toMatchObject({ keys: 0, total: 0, sample: [] });
      expectError(await none.call(), 400, 'validation_failed', '/filter');
    });

    test('cannot be previewed by a viewer', async () => {
      const owner = newOwner();
      await create(1, { owner });
      const json = { action: 'disable', filter: { owner }, preview: true };
      expectError(await admin.call('POST', '/v1/keys/bulk', { json, token: VIEWER }), 403, 'forbidden');
    });

    test('are deleted after a week if they are unfinished, and their digest becomes invalid', async () => {
      const owner = newOwner();
      await create(150, { owner });
      const { call } = await previewed({ action: 'revoke', filter: { owner } });
      await call();
      admin.time.now += 8 * DAY;
      await create(1, { owner: `${owner} b` });
      await done({ action: 'revoke', filter: { owner: `${owner} b` } });
      expectError(await call(), 412, 'precondition_failed');
      expect(await statuses(owner)).toEqual({ active: 50, revoked: 100 });
    });
  });
}
