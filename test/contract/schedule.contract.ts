/** Scheduled notices and deletions must work on both databases and with two gateways. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Events } from '../../src/control-plane/events/events.ts';
import { createGatewayEvent } from '../../src/control-plane/events/gateway-events.ts';
import { pruneEvents } from '../../src/control-plane/events/prune-events.ts';
import type { HistoryStore } from '../../src/control-plane/history/store/history-store.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { publishKeyExpiryEvents } from '../../src/control-plane/schedule/key-notices.ts';
import { Notices } from '../../src/control-plane/schedule/notices.ts';
import {
  type AnnouncedOperation,
  publishDeprecationEvents,
  publishSunsetEvents,
} from '../../src/control-plane/schedule/operation-notices.ts';
import { addCounts } from '../support/history/counts.ts';
import { type HistoryDatabase, logger } from '../support/history/history-database.ts';
import { free, createNewKey, createSuccessor } from '../support/registry-data.ts';
import { outboxEvents } from '../support/outbox-events.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12);
const change = { actor: 'test', reason: null, at: NOW };
const neverStopped = () => false;

export function scheduleContract(name: string, make: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let made: HistoryDatabase;
    let history: HistoryStore;
    let registry: Registry;
    let events: Events;

    beforeEach(async () => {
      made = await make();
      history = await made.open();
      registry = new Registry(made.records);
      events = new Events(made.records, logger);
      await registry.seedPlans([free], change);
    });
    afterEach(async () => {
      await events.close();
      await history.close();
      await made.dispose();
    });

    const create = (over: Partial<NewKey> = {}) =>
      registry.createKey(createNewKey({ createdAt: NOW - 90 * DAY, ...over }), change);
    const listEvents = (type: string) => outboxEvents(made.records, { type });
    /** Runs the notices on two gateways concurrently. */
    const byTwo = (run: (notices: Notices) => Promise<void>) =>
      Promise.all([run(new Notices(events)), run(new Notices(events))]);

    describe('keys that expire', () => {
      const publishAt = (now: number) =>
        byTwo((notices) => publishKeyExpiryEvents(made.records, notices, now, neverStopped));
      const listNotices = async () =>
        (await listEvents('key.expiring')).map(({ subject, data }) => [subject, data['daysLeft']]);

      test('are announced 7 days and 1 day before their expiry, once each', async () => {
        const expiresAt = NOW + 10 * DAY;
        const key = await create({ expiresAt });
        for (let hour = 0; hour <= 240; hour += 6) await publishAt(NOW + hour * 3_600_000);
        expect(await listNotices()).toEqual([
          [key.id, 7],
          [key.id, 1],
        ]);
        const [first] = await listEvents('key.expiring');
        expect(first).toMatchObject({
          owner: key.owner,
          at: NOW + 3 * DAY,
          data: { id: key.id, name: key.name, expiresAt: new Date(expiresAt).toISOString(), daysLeft: 7 },
        });
      });

      test('are announced late if a notice was missed, and then only once', async () => {
        const late = await create({ expiresAt: NOW + 4.5 * DAY });
        const last = await create({ expiresAt: NOW + 0.5 * DAY });
        await create({ expiresAt: NOW - 1 });
        await publishAt(NOW);
        expect(await listNotices()).toEqual(
          expect.arrayContaining([
            [late.id, 5],
            [last.id, 1],
          ]),
        );
        expect(await listNotices()).toHaveLength(2);
      });

      test('are not announced if they are revoked, disabled or replaced', async () => {
        const expiresAt = NOW + 0.5 * DAY;
        for (const status of ['revoked', 'disabled'] as const) {
          await registry.updateKey((await create({ expiresAt })).id, { status }, change);
        }
        const old = await create();
        await registry.rotateKey(old.id, createSuccessor(), { oldExpiresAt: expiresAt }, change);
        await create();
        await publishAt(NOW);
        expect(await listNotices()).toEqual([]);
      });

      test('are not announced if they were created after their notice was due', async () => {
        const key = await create({ createdAt: NOW - DAY, expiresAt: NOW + 2 * DAY });
        await publishAt(NOW);
        expect(await listNotices()).toEqual([]);
        await publishAt(NOW + 1.5 * DAY);
        expect(await listNotices()).toEqual([[key.id, 1]]);
      });

      test('are announced again if their expiry changes', async () => {
        const key = await create({ expiresAt: NOW + 5 * DAY });
        await publishAt(NOW);
        await registry.updateKey(key.id, { expiresAt: NOW + 6 * DAY }, change);
        await publishAt(NOW);
        await publishAt(NOW);
        expect(await listNotices()).toEqual([
          [key.id, 5],
          [key.id, 6],
        ]);
      });

      test('are all announced if many expire at the same moment', async () => {
        const expiresAt = NOW + 5 * DAY;
        const keys = Array.from({ length: 1201 }, () => createNewKey({ createdAt: NOW - 90 * DAY, expiresAt }));
        await registry.createKeys(keys, change);
        await publishAt(NOW);
        const subjects = (await listEvents('key.expiring')).map(({ subject }) => subject);
        expect(subjects).toHaveLength(keys.length);
        expect(new Set(subjects)).toEqual(new Set(keys.map(({ id }) => id)));
      });
    });

    describe('operations that end', () => {
      const operation = (id: string, over: Partial<AnnouncedOperation['lifecycle']> = {}): AnnouncedOperation => ({
        id,
        method: 'GET',
        path: `/${id}`,
        lifecycle: {
          deprecated: true,
          deprecatedAt: null,
          sunsetAt: null,
          brownouts: [],
          stability: 'stable',
          successor: '/pets',
          deprecationLink: null,
          ...over,
        },
      });
      const deprecatedAt = NOW - DAY;

      test('are announced in the week after they become deprecated', async () => {
        const operations = [
          operation('today', { deprecatedAt: NOW, sunsetAt: NOW + 90 * DAY }),
          operation('tomorrow', { deprecatedAt: NOW + DAY }),
          operation('lastYear', { deprecatedAt: NOW - 7 * DAY }),
          operation('undated'),
          operation('ended', { deprecatedAt: NOW - 2 * DAY, sunsetAt: NOW }),
        ];
        for (let days = 0; days <= 8; days += 0.5) {
          await byTwo((notices) => publishDeprecationEvents(operations, notices, NOW + days * DAY));
        }
        const [first, ...more] = await listEvents('operation.deprecated');
        expect(first).toMatchObject({
          subject: 'today',
          owner: null,
          at: NOW,
          data: {
            operation: 'today',
            method: 'GET',
            path: '/today',
            deprecatedAt: new Date(NOW).toISOString(),
            sunsetAt: new Date(NOW + 90 * DAY).toISOString(),
            successor: '/pets',
          },
        });
        expect(more.map(({ subject }) => subject)).toEqual(['tomorrow']);
      });

      const sunset = (at: number) => operation('oldPets', { deprecatedAt, sunsetAt: at });
      const publishSunsetAt = (now: number, at: number) =>
        byTwo((notices) =>
          publishSunsetEvents([sunset(at)], { database: made.records, history }, notices, now, neverStopped),
        );
      const listNotices = async () =>
        (await listEvents('operation.sunset_soon')).map(({ owner, data }) => [owner, data['daysLeft']]);
      const called = (key: string, lastAt = NOW - DAY, id = 'oldPets') =>
        addCounts(history, { minute: lastAt - (lastAt % 60_000), keyId: key, operation: id, firstAt: lastAt, lastAt });

      test('are announced to the owners of keys that called them, 30, 7 and 1 day before their sunset', async () => {
        const [one, two] = [await create({ owner: 'acme', name: 'one' }), await create({ owner: 'acme', name: 'two' })];
        const other = await create({ owner: 'other' });
        const elsewhere = await create({ owner: 'elsewhere' });
        await called(one.id, NOW - 3 * DAY);
        await called(two.id, NOW - 2 * DAY);
        await called(other.id);
        await called(elsewhere.id, NOW, 'newPets');
        const end = NOW + 31 * DAY;
        for (let days = 0; days <= 32; days += 0.5) await publishSunsetAt(NOW + days * DAY, end);
        const acmeAndOther = [30, 7, 1].flatMap((days) => [`acme ${days}`, `other ${days}`]);
        const notices = (await listNotices()).map((each) => each.join(' '));
        expect(notices).toHaveLength(acmeAndOther.length);
        expect(new Set(notices)).toEqual(new Set(acmeAndOther));
        const [first] = (await listEvents('operation.sunset_soon')).filter(({ owner }) => owner === 'acme');
        expect(first).toMatchObject({ subject: 'oldPets', at: NOW + DAY });
        expect(first?.data).toMatchObject({ operation: 'oldPets', sunsetAt: new Date(end).toISOString(), keyCount: 2 });
        expect(first?.data['keys']).toEqual([
          { id: two.id, name: 'two', lastCalledAt: new Date(NOW - 2 * DAY).toISOString() },
          { id: one.id, name: 'one', lastCalledAt: new Date(NOW - 3 * DAY).toISOString() },
        ]);
      });

      test('are announced once, with the number of days left, if a notice was missed', async () => {
        await called((await create()).id);
        await publishSunsetAt(NOW, NOW + 3 * DAY);
        expect(await listNotices()).toEqual([['acme', 3]]);
        // If the date changes, it is announced again.
        await publishSunsetAt(NOW, NOW + 20 * DAY);
        expect(await listNotices()).toEqual([
          ['acme', 3],
          ['acme', 20],
        ]);
      });

      test('are not announced to owners of keys that no longer work', async () => {
        const [revoked, expired] = [await create(), await create({ expiresAt: NOW })];
        await registry.updateKey(revoked.id, { status: 'revoked' }, change);
        for (const { id } of [revoked, expired]) await called(id);
        await called('key_unknown');
        await publishSunsetAt(NOW, NOW + DAY);
        expect(await listNotices()).toEqual([]);
      });

      test('are announced with at most 50 of the keys that called them', async () => {
        const keys = Array.from({ length: 600 }, (_, index) =>
          createNewKey({ owner: index % 6 === 0 ? 'few' : 'many' }),
        );
        await registry.createKeys(keys, change);
        for (let from = 0; from < keys.length; from += 300) {
          const rows = keys.slice(from, from + 300).map(({ id }) => ({ keyId: id, operation: 'oldPets', lastAt: NOW }));
          await addCounts(history, ...rows);
        }
        await publishSunsetAt(NOW, NOW + DAY);
        const about = (await listEvents('operation.sunset_soon')).map(
          ({ owner, data }) => [owner, [data['keyCount'], (data['keys'] as unknown[]).length]] as const,
        );
        expect(about).toHaveLength(2);
        expect(Object.fromEntries(about)).toEqual({ few: [100, 50], many: [500, 50] });
      });
    });

    describe('old events', () => {
      const make = (at: number, uniqueKey?: string) =>
        createGatewayEvent('webhook.test', { webhookId: 'x' }, { subject: null, owner: null, at, uniqueKey });

      test('are deleted with their deliveries and attempts, and nothing else', async () => {
        const old = Array.from({ length: 450 }, (_, index) => make(NOW - 30 * DAY - 1 - index));
        const kept = [make(NOW - 30 * DAY), make(NOW)];
        await events.publish([...old, ...kept]);
        await route();
        await deliver([old[0]!.id, old[449]!.id, kept[0]!.id], NOW - 30 * DAY - 1);
        expect(await pruneEvents(made.records, 30 * DAY, NOW, neverStopped)).toBe(450);
        expect((await outboxEvents(made.records)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
        const left = await made.records.read(async (queries) => [
          await queries.selectFrom('deliveries').select('event_id').execute(),
          await queries.selectFrom('delivery_attempts').select('delivery_id').execute(),
        ]);
        expect(left).toEqual([[{ event_id: kept[0]!.id }], [{ delivery_id: `del-${kept[0]!.id}` }]]);
        expect(await pruneEvents(made.records, 30 * DAY, NOW, neverStopped)).toBe(0);
      });

      test('are deleted in batches, which a shutdown can interrupt', async () => {
        await events.publish(Array.from({ length: 450 }, (_, index) => make(NOW - 31 * DAY - index)));
        await route();
        let asked = 0;
        expect(await pruneEvents(made.records, 30 * DAY, NOW, () => asked++ > 0)).toBe(200);
        expect(await outboxEvents(made.records)).toHaveLength(250);
      });

      test('that announce a sunset are kept until the sunset, and are therefore not published again', async () => {
        const sunsetAt = NOW + 25 * DAY;
        const data = { operation: 'a', method: 'GET', path: '/a', deprecatedAt: null, sunsetAt: null, successor: null };
        const soon = createGatewayEvent(
          'operation.sunset_soon',
          { ...data, daysLeft: 30, keys: [], keyCount: 0 },
          { subject: 'a', owner: 'acme', at: sunsetAt - 30 * DAY, uniqueKey: 'once' },
        );
        await events.publish([soon, make(NOW - 8 * DAY)]);
        await route();
        expect(await pruneEvents(made.records, 7 * DAY, NOW + 4 * DAY, neverStopped)).toBe(1);
        expect(await outboxEvents(made.records)).toHaveLength(1);
        expect(await pruneEvents(made.records, 7 * DAY, sunsetAt + 1, neverStopped)).toBe(1);
      });

      // A service that was down for a long time publishes old events when it returns.
      test('that were published late are kept until they are routed and as long as their deliveries are recent', async () => {
        const late = make(NOW - 60 * DAY);
        await events.publish([late]);
        expect(await pruneEvents(made.records, 30 * DAY, NOW, neverStopped)).toBe(0);
        await route();
        await deliver([late.id], NOW);
        expect(await pruneEvents(made.records, 30 * DAY, NOW + 30 * DAY, neverStopped)).toBe(0);
        expect(await pruneEvents(made.records, 30 * DAY, NOW + 30 * DAY + 1, neverStopped)).toBe(1);
      });

      async function route(): Promise<void> {
        await made.records.transaction((tx) => tx.updateTable('events').set({ routed: 1 }).execute());
      }

      async function deliver(eventIds: readonly string[], createdAt: number): Promise<void> {
        const times = { due_at: NOW, leased_until: null, created_at: createdAt, ended_at: null };
        const about = { webhook_id: 'hook', status: 'pending', attempts: 1, ...times };
        await made.records.transaction(async (tx) => {
          const deliveries = eventIds.map((id) => ({ ...about, id: `del-${id}`, event_id: id }));
          await tx.insertInto('deliveries').values(deliveries).execute();
          const attempt = { at: NOW, duration_ms: 1, status: 500, error: null, answer: null };
          const attempts = eventIds.map((id) => ({ ...attempt, delivery_id: `del-${id}`, number: 1 }));
          await tx.insertInto('delivery_attempts').values(attempts).execute();
        });
      }
    });
  });
}
