/**
 * An account could once create and revoke keys endlessly, and all of them were kept. Each needed 3 kB, and with 300,000
 * of them, each creation occupied a gateway on SQLite for 64 ms.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { deleteEndedKeys, MAX_ENDED_KEYS } from '../../src/control-plane/accounts/ended-keys.ts';
import { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import type { Account } from '../../src/control-plane/accounts/account.ts';
import type { HistoryStore } from '../../src/control-plane/history/store/history-store.ts';
import type { Key, NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import type { Database } from '../../src/storage/database.ts';
import { addCounts } from '../support/history/counts.ts';
import { type HistoryDatabase, keep, logger } from '../support/history/history-database.ts';
import { free, createNewKey, createSuccessor } from '../support/registry-data.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12);
const BEFORE = NOW - 2 * DAY;
const change = { actor: 'test', reason: null, at: BEFORE };
const neverStopped = () => false;

/** Declares the requirements for what is kept of an account's keys, which every database must meet. */
export function endedKeysContract(name: string, make: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let made: HistoryDatabase;
    let history: HistoryStore;
    let registry: Registry;
    let account: Account;
    beforeEach(async () => {
      made = await make();
      history = await made.open();
      registry = new Registry(made.records);
      await registry.seedPlans([free], change);
      const accounts = new Accounts(made.records, logger);
      account = await accounts.create({ owner: 'acme', name: 'Acme', email: null, plan: 'free' }, change);
    });
    afterEach(async () => {
      await history.close();
      await made.dispose();
    });

    const newAccountKey = (over: Partial<NewKey> = {}) =>
      createNewKey({ quotaId: account.id, createdAt: BEFORE, ...over });
    const create = (over?: Partial<NewKey>) => registry.createKey(newAccountKey(over), change);
    const revoked = async () => registry.updateKey((await create()).id, { status: 'revoked' }, change);
    /** Creates enough newer keys that the account keeps no older key that has ended. */
    const createNewer = (over: Partial<NewKey> = { status: 'revoked' }, count = MAX_ENDED_KEYS) =>
      registry.createKeys(
        Array.from({ length: count }, () => newAccountKey(over)),
        change,
      );
    const clean = (now = NOW, isStopped = neverStopped) => deleteEndedKeys(made.records, history, now, isStopped);
    const exists = async ({ id }: Pick<Key, 'id'>) => (await registry.getKey(id)) !== null;
    const recordCall = (keyId: string, at: number) =>
      addCounts(history, { minute: at - (at % 60_000), keyId, operation: 'listPets', firstAt: at, lastAt: at });

    test('an account keeps its newest 1000 ended keys, and all keys that still work', async () => {
      const [usable, disabled] = [await create(), await create({ status: 'disabled' })];
      const old = [await revoked(), await create({ expiresAt: NOW }), await revoked()];
      await createNewer({ status: 'revoked' }, MAX_ENDED_KEYS - 2);
      expect(await clean()).toBe(1);
      expect(await Promise.all(old.map(exists))).toEqual([false, true, true]);
      await createNewer({ expiresAt: NOW - 1 }, 2);
      expect(await clean()).toBe(2);
      expect(await Promise.all([...old, usable, disabled].map(exists))).toEqual([false, false, false, true, true]);
      expect(await clean()).toBe(0);
    });

    test('ended keys that operators created for the owner are not deleted', async () => {
      const operators = await create({ quotaId: 'key_of_operators', status: 'revoked' });
      await createNewer({ quotaId: 'key_of_operators', status: 'revoked' });
      expect(await clean()).toBe(0);
      expect(await exists(operators)).toBe(true);
    });

    test('a deleted key and its secret are no longer found, and its audit entries stay', async () => {
      const key = await create({ name: 'remarkable' });
      await registry.updateKey(key.id, { status: 'revoked' }, change);
      await createNewer();
      const changed: unknown[] = [];
      registry.onInvalidation((what) => changed.push(what));
      expect(await clean()).toBe(1);
      expect(changed).toEqual([{ kind: 'key', hash: key.hash }]);
      expect(await registry.findCredential(key.hash)).toBeNull();
      expect((await registry.listKeys({ search: 'remarkable' }, { limit: 10 })).items).toEqual([]);
      await checkSearch(made.records);
      const { items } = await registry.listAudit({ subject: key.id }, { limit: 10 });
      expect(items.map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
    });

    test('an ended key is not deleted while the usage history or a refusal names it', async () => {
      const [counted, silent] = [await revoked(), await revoked()];
      const refusedOnly = await revoked();
      await createNewer();
      await recordCall(counted.id, NOW - DAY);
      const facts = { code: 'key_revoked' };
      const refusal = { requestId: 'a', quotaId: account.id, keyId: refusedOnly.id, at: NOW - DAY, facts };
      await history.keepRefusals([refusal]);
      expect(await clean()).toBe(1);
      expect(await Promise.all([counted, silent, refusedOnly].map(exists))).toEqual([true, false, true]);
      await history.prune(NOW + 3 * DAY);
      expect(await clean(NOW + 3 * DAY)).toBe(1);
      expect(await exists(refusedOnly)).toBe(false);
      const later = NOW + keep.days + DAY;
      await history.prune(later);
      expect(await clean(later)).toBe(1);
      expect(await exists(counted)).toBe(false);
      expect((await history.callers({ operation: 'listPets', limit: 10 })).items).toEqual([]);
    });

    test('the keys of a rotation chain are not deleted while one of them can be used', async () => {
      const first = await create();
      const second = await registry.rotateKey(first.id, createSuccessor(), { oldExpiresAt: NOW - 1 }, change);
      await createNewer();
      expect(await clean()).toBe(0);
      await registry.updateKey(second.id, { status: 'revoked' }, change);
      expect(await clean()).toBe(2);
      expect(await Promise.all([first, second].map(exists))).toEqual([false, false]);
    });

    test('ended keys of the last 24 hours are not deleted, because they count toward the limit per day', async () => {
      const key = await create({ createdAt: NOW - DAY + 1, status: 'revoked' });
      await createNewer();
      expect(await clean()).toBe(0);
      expect(await clean(NOW + 1)).toBe(1);
      expect(await exists(key)).toBe(false);
    });

    test('many ended keys are deleted in batches, which a shutdown can interrupt', async () => {
      await createNewer({ status: 'revoked' }, MAX_ENDED_KEYS + 130);
      let asked = 0;
      const first = await clean(NOW, () => asked++ > 2);
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThan(130);
      const [one, other] = await Promise.all([clean(), clean()]);
      expect(first + one + other).toBe(130);
      expect((await registry.listKeys({}, { limit: 1 })).total).toBe(MAX_ENDED_KEYS);
    });
  });
}

/**
 * Asserts that the search finds exactly the existing keys. Only SQLite needs it, because it has a separate table for
 * the search.
 */
async function checkSearch(records: Database): Promise<void> {
  if (records.dialect.name !== 'sqlite') return;
  const check = sql`INSERT INTO keys_search (keys_search, rank) VALUES ('integrity-check', 1)`;
  await records.transaction((tx) => check.execute(tx));
}
