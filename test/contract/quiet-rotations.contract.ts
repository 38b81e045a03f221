/** A rotation may end the old key once it is no longer used. This must hold on both databases and with two gateways. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Invalidation } from '../../src/data-plane/boundary-types.ts';
import { Events } from '../../src/control-plane/events/events.ts';
import type { Key, NewKey } from '../../src/control-plane/registry/key.ts';
import { endQuietRotations } from '../../src/control-plane/registry/quiet-rotations.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { recordUseReport } from '../../src/control-plane/registry/use-reports.ts';
import { publishKeyExpiryEvents } from '../../src/control-plane/schedule/key-notices.ts';
import { Notices } from '../../src/control-plane/schedule/notices.ts';
import { recordRunning, recordStopped } from '../../src/control-plane/system/heartbeat.ts';
import type { Database } from '../../src/storage/database.ts';
import { type HistoryDatabase, logger } from '../support/history/history-database.ts';
import { free, createNewKey, createSuccessor } from '../support/registry-data.ts';
import { outboxEvents } from '../support/outbox-events.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 15, 12);
const QUIET_FOR = 7 * DAY;
const MAX_GRACE = 30 * DAY;
const STALE_FOR = 15 * MINUTE;
const rule = { quietForMs: QUIET_FOR, staleForMs: STALE_FOR };
const change = { actor: 'test', reason: null, at: NOW };
const neverStopped = () => false;
const gateway = (id: string) => ({ id, host: `${id}.example.com`, version: '2.0.0' });

export function quietRotationsContract(name: string, make: () => Promise<HistoryDatabase>): void {
  describe(`with ${name} and graceUntil=quiet,`, () => {
    let made: HistoryDatabase;
    let database: Database;
    let registry: Registry;
    let invalidated: Invalidation[];

    beforeEach(async () => {
      made = await make();
      database = made.records;
      registry = new Registry(database);
      await registry.seedPlans([free], change);
      invalidated = [];
      registry.onInvalidation((what) => invalidated.push(what));
    });
    afterEach(() => made.dispose());

    /**
     * Ends quiet rotations on two gateways concurrently.
     *
     * @returns the number of keys that ended
     */
    async function endAt(now: number): Promise<number> {
      const retirements = [
        endQuietRotations(database, rule, now, neverStopped),
        endQuietRotations(database, rule, now, neverStopped),
      ];
      return (await Promise.all(retirements)).reduce((sum, each) => sum + each, 0);
    }

    /** Reports a gateway that has been running for a long time, and that has just reported all uses. */
    async function runGateway(id: string): Promise<void> {
      await recordRunning(database, gateway(id), 60 * DAY, STALE_FOR);
      await recordUseReport(database, id, 0);
    }

    const update = (id: string, what: string) =>
      database.transaction(async (tx) => {
        await sql`UPDATE gateways SET ${sql.raw(what)} WHERE id = ${id}`.execute(tx);
      });
    const lastSeen = (id: string, agoMs: number) =>
      update(id, `seen_at = seen_at - ${agoMs}, uses_reported_at = uses_reported_at - ${agoMs}`);
    const lastReported = (id: string, agoMs: number) => update(id, `uses_reported_at = uses_reported_at - ${agoMs}`);

    async function rotate(over: Partial<NewKey> = {}): Promise<{ readonly old: Key; readonly fresh: Key }> {
      const { id } = await registry.createKey(createNewKey({ createdAt: NOW - 90 * DAY, ...over }), change);
      const options = { oldExpiresAt: NOW + MAX_GRACE, untilQuiet: true };
      const fresh = await registry.rotateKey(id, createSuccessor(), options, change);
      return { old: (await registry.getKey(id))!, fresh };
    }

    const use = (id: string, at: number, network?: string) =>
      registry.touchKeys(new Map([[id, at]]), new Map(network === undefined ? [] : [[id, network]]));
    const getKey = async (id: string) => (await registry.getKey(id))!;

    test('the old key ends once, when the new one has been used and the old one has been unused for long enough', async () => {
      await runGateway('a');
      const { old, fresh } = await rotate();
      expect(old).toMatchObject({ rotatedTo: fresh.id, expiresAt: NOW + MAX_GRACE, quietSince: NOW });
      expect(fresh).toMatchObject({ expiresAt: null, quietSince: null });
      await use(fresh.id, NOW + HOUR);
      await use(old.id, NOW + 2 * DAY, '203.0.113.0/24');
      expect(await endAt(NOW + 2 * DAY + QUIET_FOR)).toBe(0);
      expect(await getKey(old.id)).toMatchObject({ quietSince: NOW, lastUsedFrom: '203.0.113.0/24' });
      invalidated = [];
      const end = NOW + 2 * DAY + QUIET_FOR + HOUR;
      expect(await endAt(end)).toBe(1);
      expect(await getKey(old.id)).toMatchObject({
        status: 'active',
        expiresAt: end,
        quietSince: null,
        lastUsedAt: NOW + 2 * DAY,
        lastUsedFrom: null,
      });
      expect(invalidated).toContainEqual({ kind: 'key', hash: old.hash });
      const entries = (await registry.listAudit({ subject: old.id, action: 'key.retire' }, { limit: 10 })).items;
      expect(entries).toMatchObject([
        {
          actor: 'system',
          reason: 'not used for 7 days after its rotation: last used at 2026-06-17T12:00:00.000Z',
          before: { expiresAt: NOW + MAX_GRACE, quietSince: NOW },
          after: { expiresAt: end, quietSince: null },
        },
      ]);
      expect(await outboxEvents(database, { type: 'key.retired' })).toMatchObject([
        { subject: old.id, owner: 'acme', at: end, data: { id: old.id, replacedBy: fresh.id, cause: 'quiet' } },
      ]);
      expect(await endAt(end + DAY)).toBe(0);
      expect(await getKey(fresh.id)).toMatchObject({ status: 'active', expiresAt: null });
    });

    test('the quiet period of the old key starts no earlier than the rotation', async () => {
      await runGateway('a');
      const { old, fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      expect(await endAt(NOW + QUIET_FOR - 1)).toBe(0);
      expect(await endAt(NOW + QUIET_FOR + HOUR)).toBe(1);
      expect((await registry.listAudit({ subject: old.id }, { limit: 1 })).items[0]?.reason).toContain('never used');
    });

    test('the old key does not end before its replacement or a later one has been used', async () => {
      await runGateway('a');
      const { old, fresh } = await rotate();
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(0);
      const newest = await registry.rotateKey(fresh.id, createSuccessor(), { oldExpiresAt: NOW + HOUR }, change);
      await use(newest.id, NOW + 8 * DAY);
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(1);
      expect((await getKey(old.id)).quietSince).toBeNull();
    });

    test('a gateway that has not reported its uses delays the end of the old key, even if others have reported', async () => {
      await runGateway('a');
      await runGateway('b');
      const { old, fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      await lastReported('b', 3 * DAY);
      expect(await endAt(NOW + QUIET_FOR + 2 * DAY)).toBe(0);
      // The quiet period must have passed at the gateway's last report, not only now.
      expect(await endAt(NOW + QUIET_FOR + 3 * DAY + HOUR)).toBe(1);
      expect((await getKey(old.id)).quietSince).toBeNull();
    });

    test('a gateway that has never reported uses, such as one of an older version, prevents the end of the old key', async () => {
      await runGateway('a');
      await recordRunning(database, gateway('old version'), 60 * DAY, STALE_FOR);
      const { fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      expect(await endAt(NOW + 20 * DAY)).toBe(0);
      await recordStopped(database, 'old version');
      expect(await endAt(NOW + 20 * DAY)).toBe(1);
    });

    test('the old key does not end if no gateway reports uses', async () => {
      const { fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      expect(await endAt(NOW + 20 * DAY)).toBe(0);
    });

    test('the time in which a gateway could not report counts as use of the old key', async () => {
      await runGateway('a');
      await runGateway('cut off');
      const { fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      // The gateway is no longer listed as running, but the keys in its cache work for 15 more minutes.
      await lastSeen('cut off', 10 * MINUTE);
      expect(await endAt(NOW + QUIET_FOR + 5 * MINUTE)).toBe(0);
      // The gateway has never reported the uses until then.
      await lastSeen('cut off', 5 * HOUR);
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(0);
      await lastSeen('cut off', QUIET_FOR - 5 * HOUR);
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(0);
      await lastSeen('cut off', HOUR);
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(1);
    });

    test('the unreported time of a gateway counts even after the gateway is removed from the list', async () => {
      await runGateway('a');
      await runGateway('killed');
      const { fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      await lastSeen('killed', 25 * HOUR);
      await runGateway('a');
      const rows = await database.read((queries) => queries.selectFrom('gateways').select('id').execute());
      expect(rows).toEqual([{ id: 'a' }]);
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(0);
      await database.transaction(async (tx) => {
        await sql`UPDATE keys SET unreported_until = unreported_until - ${sql.lit(QUIET_FOR)}`.execute(tx);
      });
      expect(await endAt(NOW + QUIET_FOR + DAY)).toBe(1);
    });

    test('a gateway that was stopped gracefully does not delay the end of the old key', async () => {
      await runGateway('a');
      await runGateway('stopped');
      const { fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      await recordStopped(database, 'stopped');
      await lastReported('stopped', 5 * DAY);
      expect(await endAt(NOW + QUIET_FOR + HOUR)).toBe(1);
    });

    test('the old key ends at its deadline, even if it is used or a gateway has not reported', async () => {
      const { old, fresh } = await rotate();
      await use(old.id, NOW + MAX_GRACE - HOUR, '2001:db8:1::/48');
      expect(await endAt(NOW + MAX_GRACE - 1)).toBe(0);
      expect(await endAt(NOW + MAX_GRACE)).toBe(1);
      expect(await getKey(old.id)).toMatchObject({ expiresAt: NOW + MAX_GRACE, quietSince: null, lastUsedFrom: null });
      expect(await outboxEvents(database, { type: 'key.retired' })).toMatchObject([
        {
          subject: old.id,
          data: { replacedBy: fresh.id, cause: 'latest_end', lastUsedAt: '2026-07-15T11:00:00.000Z' },
        },
      ]);
    });

    test('an old key that expires earlier keeps its expiry, and a changed expiry is its new deadline', async () => {
      await runGateway('a');
      const { old } = await rotate({ expiresAt: NOW + 3 * DAY });
      expect(old).toMatchObject({ expiresAt: NOW + 3 * DAY, quietSince: NOW });
      await registry.updateKey(old.id, { expiresAt: NOW + 4 * DAY }, change);
      expect(await endAt(NOW + 3 * DAY + HOUR)).toBe(0);
      expect(await endAt(NOW + 4 * DAY)).toBe(1);
    });

    test('a disabled old key does not end for lack of use, which proves nothing', async () => {
      await runGateway('a');
      const { old, fresh } = await rotate();
      await use(fresh.id, NOW + HOUR);
      await registry.updateKey(old.id, { status: 'disabled' }, change);
      expect(await endAt(NOW + 20 * DAY)).toBe(0);
    });

    test.each([
      ['the old key is revoked', false],
      ['the new key is revoked', true],
    ])('nothing waits any more if %s, and the recorded network is deleted', async (_, byNew) => {
      await runGateway('a');
      const { old, fresh } = await rotate();
      await use(old.id, NOW + HOUR, '203.0.113.0/24');
      await registry.updateKey(byNew ? fresh.id : old.id, { status: 'revoked' }, change);
      expect(await getKey(old.id)).toMatchObject({ status: 'revoked', quietSince: null, lastUsedFrom: null });
      expect(await endAt(NOW + 40 * DAY)).toBe(0);
      expect(await outboxEvents(database, { type: 'key.retired' })).toEqual([]);
    });

    test('only the last network of the old key is recorded, and it is in no audit entry', async () => {
      const { old, fresh } = await rotate();
      await use(fresh.id, NOW, '198.51.100.0/24');
      await use(old.id, NOW + 2 * MINUTE, '203.0.113.0/24');
      await use(old.id, NOW + MINUTE, '192.0.2.0/24');
      expect([(await getKey(fresh.id)).lastUsedFrom, (await getKey(old.id)).lastUsedFrom]).toEqual([
        null,
        '203.0.113.0/24',
      ]);
      // A change based on an earlier read of the key does not overwrite the last use.
      await registry.updateKey(old.id, { name: 'other' }, change);
      expect((await getKey(old.id)).lastUsedFrom).toBe('203.0.113.0/24');
      expect(JSON.stringify((await registry.listAudit({}, { limit: 100 })).items)).not.toContain('203.0.113');
    });

    test('an imported key with another prefix ends like any other old key', async () => {
      await runGateway('a');
      const { old, fresh } = await rotate({ prefix: 'sk_9f2c', lastFour: 'x7Qa', externalId: '4711' });
      await use(fresh.id, NOW + HOUR);
      expect(await endAt(NOW + QUIET_FOR + HOUR)).toBe(1);
      expect((await getKey(old.id)).expiresAt).toBe(NOW + QUIET_FOR + HOUR);
    });

    test('the old key cannot be rotated again, and its replacement can be rotated once', async () => {
      const { old, fresh } = await rotate();
      const options = { oldExpiresAt: NOW + MAX_GRACE, untilQuiet: true };
      await expect(registry.rotateKey(old.id, createSuccessor(), options, change)).rejects.toMatchObject({
        code: 'conflict',
      });
      await registry.rotateKey(fresh.id, createSuccessor(), options, change);
      const waiting = await registry.keysWaitingBefore((await getKey(fresh.id)).rotatedTo!);
      expect(waiting.map(({ id }) => id)).toEqual([old.id, fresh.id]);
    });

    test('the expiry of the old key is announced for its deadline, without notices that were due before', async () => {
      const { old } = await rotate();
      const soon = await rotate();
      await registry.updateKey(soon.old.id, { expiresAt: NOW + 3 * DAY }, change);
      const outbox = new Events(database, logger);
      for (let days = 0; days <= 30; days++) {
        await publishKeyExpiryEvents(database, new Notices(outbox), NOW + days * DAY, neverStopped);
      }
      await outbox.close();
      const events = await outboxEvents(database, { type: 'key.expiring' });
      expect(events.map(({ subject, data }) => [subject, data['daysLeft'], data['expiresAt']])).toEqual([
        [soon.old.id, 1, '2026-06-18T12:00:00.000Z'],
        [old.id, 7, '2026-07-15T12:00:00.000Z'],
        [old.id, 1, '2026-07-15T12:00:00.000Z'],
      ]);
    });

    test('many old keys end in one run, which a shutdown can interrupt', async () => {
      await runGateway('a');
      const keys = Array.from({ length: 105 }, () => createNewKey());
      await registry.createKeys(keys, change);
      const options = { oldExpiresAt: NOW + MAX_GRACE, untilQuiet: true };
      const fresh = [];
      for (const { id } of keys) fresh.push(await registry.rotateKey(id, createSuccessor(), options, change));
      await registry.touchKeys(new Map(fresh.map(({ id }) => [id, NOW + HOUR])));
      let asked = 0;
      const isStopped = () => ++asked > 5;
      expect(await endQuietRotations(database, rule, NOW + 8 * DAY, isStopped)).toBe(4);
      expect(await endQuietRotations(database, rule, NOW + 8 * DAY, neverStopped)).toBe(101);
    });
  });
}
