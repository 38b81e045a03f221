import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import type { BanChange, Invalidation } from '../../src/data-plane/boundary-types.ts';
import type { ChangeContext } from '../../src/control-plane/registry/audit-log.ts';
import { insertKeys } from '../../src/control-plane/registry/key-rows.ts';
import {
  toCredential,
  type Key,
  type KeyFilter,
  type NewKey,
  type Owner,
  type OwnerOrder,
} from '../../src/control-plane/registry/key.ts';
import type { Plan } from '../../src/domain/plan.ts';
import type { Database } from '../../src/storage/database.ts';
import { createBanSource } from '../../src/control-plane/registry/ban-feed.ts';
import {
  createAutomaticBanEvent,
  createBannedEvent,
  createLiftEntry,
  createStartEntry,
  createUnbannedEvent,
} from '../../src/control-plane/registry/ban-record.ts';
import type { Registry } from '../../src/control-plane/registry/registry.ts';
import { enterprise, free, createNewKey, pro, createSuccessor } from '../support/registry-data.ts';
import { outboxEvents } from '../support/outbox-events.ts';

/** A registry under test, in a separate database. */
interface RegistryUnderTest {
  readonly registry: Registry;
  readonly database: Database;
  /** The registry of another gateway that uses the same database. */
  peer(): Promise<Registry>;
  /** Reopens the database, like a restart. The other registries can no longer be used. */
  reopen(): Promise<Registry>;
  dispose(): Promise<void>;
}

const AT = 1_700_000_000_000;
const UNUSED = { rotatedTo: null, quietSince: null, lastUsedAt: null, lastUsedFrom: null, revision: 1 } as const;
const change: ChangeContext = { actor: 'admin', reason: 'agreed', at: AT };
const code = (code: string) => expect.objectContaining({ name: 'RegistryError', code });

/** Declares the requirements for the registry, which every database must meet. */
export function registryContract(name: string, makeRegistry: () => Promise<RegistryUnderTest>): void {
  describe(`with ${name},`, () => {
    let made: RegistryUnderTest;
    let registry: Registry;
    let invalidations: Invalidation[];

    beforeEach(async () => {
      made = await makeRegistry();
      registry = made.registry;
      await registry.seedPlans([free, pro, enterprise], change);
      invalidations = [];
      registry.onInvalidation((what) => invalidations.push(what));
    });
    afterEach(() => made.dispose());

    const create = (over: Partial<NewKey> = {}) => registry.createKey(createNewKey(over), change);
    const audit = async (subject?: string) => (await registry.listAudit({ subject }, { limit: 100 })).items;

    async function everyPage(filter: KeyFilter, limit: number, between: () => Promise<void>): Promise<Key[]> {
      const seen: Key[] = [];
      let cursor: string | undefined;
      do {
        const page = await registry.listKeys(filter, { limit, cursor });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items);
        cursor = page.nextCursor ?? undefined;
        await between();
      } while (cursor !== undefined);
      return seen;
    }

    describe('plans', () => {
      test('are listed by id, as they were stored', async () => {
        const plans = await registry.listPlans();
        expect(plans).toEqual([enterprise, free, pro].map((plan) => ({ ...plan, revision: expect.any(Number) })));
        expect(await registry.getPlan('pro')).toEqual(plans[2]);
        expect(await registry.getPlan('none')).toBeNull();
      });

      test('are seeded by only one of several concurrent callers', async () => {
        const empty = await makeRegistry();
        try {
          const other = await empty.peer();
          const claims = await Promise.all([
            empty.registry.seedPlans([free], change),
            other.seedPlans([pro], change),
            empty.registry.seedPlans([free], change),
          ]);
          expect(claims.filter(Boolean)).toHaveLength(1);
          expect(await other.listPlans()).toHaveLength(1);
          for (const plan of await other.listPlans()) await other.deletePlan(plan.id, change);
          expect(await other.seedPlans([free], change)).toBe(false);
          expect(await other.listPlans()).toEqual([]);
        } finally {
          await empty.dispose();
        }
      });

      test('are not seeded if there are plans already', async () => {
        const used = await makeRegistry();
        try {
          await used.registry.putPlan(pro, change);
          expect(await used.registry.seedPlans([free], change)).toBe(false);
          expect(await used.registry.getPlan('free')).toBeNull();
        } finally {
          await used.dispose();
        }
      });

      test('are recorded in full in the audit log when they are seeded', async () => {
        const [entry] = await audit('free');
        expect(entry).toMatchObject({ action: 'plans.seed', subject: 'free', before: null, after: free, ...change });
      });

      test('get a new revision when they change, and the audit log has the changed fields', async () => {
        const before = (await registry.getPlan('free'))!;
        const plan: Plan = { ...free, priceText: '€5 a month', limits: { minute: 120, day: 1000 } };
        const after = await registry.putPlan(plan, change);
        expect(after).toEqual({ ...plan, revision: expect.any(Number) });
        expect(await registry.getPlan('free')).toEqual(after);
        expect(after.revision).toBeGreaterThan(before.revision);
        expect(invalidations).toEqual([{ kind: 'all' }]);
        expect((await audit('free'))[0]).toMatchObject({
          action: 'plan.put',
          before: { priceText: '', limits: free.limits },
          after: { priceText: '€5 a month', limits: plan.limits },
        });
        expect(Object.keys((await audit('free'))[0]!.after!)).toEqual(['priceText', 'limits']);
      });

      test('do not change if they are stored without changes', async () => {
        const before = await registry.getPlan('free');
        expect(await registry.putPlan(free, change)).toEqual(before);
        expect(invalidations).toEqual([]);
        expect(await audit('free')).toHaveLength(1);
      });

      test('are written only once if several gateways reload the same file', async () => {
        const renamed = { ...free, name: 'Gratis' };
        const files = { before: [free], read: [renamed, { ...free, id: 'new' }] };
        const gateways = [registry, await made.peer(), registry, await made.peer()];
        const applied = gateways.map((gateway) => gateway.applyChangedPlans(files, change));
        expect(await Promise.all(applied)).toEqual(gateways.map(() => []));
        expect(await registry.getPlan('free')).toMatchObject(renamed);
        const put = (await audit()).filter(({ action }) => action === 'plan.put');
        expect(put.map(({ subject }) => subject).sort()).toEqual(['free', 'new']);
      });

      test('that an operator changed or deleted are not overwritten by a changed file', async () => {
        await registry.putPlan({ ...free, name: 'Mine' }, change);
        await registry.deletePlan('pro', change);
        const read = [free, pro, enterprise].map((plan) => ({ ...plan, description: 'Of the file.' }));
        const stayed = await registry.applyChangedPlans({ before: [free, pro], read }, change);
        expect(stayed).toEqual([
          expect.stringMatching(
            /^plan free has changed in the file but was not applied, because an operator changed it: /,
          ),
          expect.stringMatching(/^plan pro .* because an operator deleted it: /),
          expect.stringMatching(/^plan enterprise .* because an operator changed it: /),
        ]);
        expect(await registry.getPlan('free')).toMatchObject({ ...free, name: 'Mine' });
      });

      test('of a file are all applied, or none if one cannot be applied', async () => {
        await create({ plan: 'free' });
        const read = [
          { ...pro, name: 'Another' },
          { ...free, custom: true, limits: null },
        ];
        const applied = registry.applyChangedPlans({ before: [free, pro], read }, change);
        await expect(applied).rejects.toEqual(code('plan_in_use'));
        expect(await registry.getPlan('pro')).toMatchObject(pro);
      });

      test('are replaced or deleted only at the expected revision', async () => {
        const { revision } = (await registry.getPlan('free'))!;
        const renamed = { ...free, name: 'Gratis' };
        await expect(registry.putPlan(renamed, change, revision + 1)).rejects.toEqual(code('conflict'));
        await expect(registry.putPlan(renamed, change, 0)).rejects.toEqual(code('conflict'));
        await expect(registry.putPlan({ ...free, id: 'new' }, change, revision)).rejects.toEqual(code('conflict'));
        await expect(registry.deletePlan('free', change, revision + 1)).rejects.toEqual(code('conflict'));
        expect((await registry.putPlan({ ...free, id: 'new' }, change, 0)).id).toBe('new');
        expect((await registry.putPlan(renamed, change, revision)).name).toBe('Gratis');
        await expect(registry.deletePlan('free', change, revision)).rejects.toEqual(code('conflict'));
      });

      test('can be changed by only one of several writers with the same expected revision', async () => {
        const { revision } = (await registry.getPlan('free'))!;
        const writes = [1, 2, 3, 4].map((n) => registry.putPlan({ ...free, name: `${n}` }, change, revision));
        const results = await Promise.allSettled(writes);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await audit('free')).toHaveLength(2);
      });

      test('do not reuse a revision after they were deleted and created again', async () => {
        const { revision } = (await registry.getPlan('free'))!;
        await registry.deletePlan('free', change);
        expect((await registry.putPlan(free, change)).revision).toBeGreaterThan(revision);
      });

      test('are gone after a deletion, and the audit log has their last content', async () => {
        await registry.deletePlan('free', change);
        expect(await registry.getPlan('free')).toBeNull();
        expect(invalidations).toEqual([{ kind: 'all' }]);
        expect((await audit('free'))[0]).toMatchObject({ action: 'plan.delete', before: free, after: null });
        await expect(registry.deletePlan('free', change)).rejects.toEqual(code('plan_not_found'));
      });

      test('that are in use cannot be deleted or made custom until their keys are revoked', async () => {
        const key = await create({ status: 'disabled' });
        const custom = { ...free, custom: true, limits: null };
        await expect(registry.deletePlan('free', change)).rejects.toEqual(code('plan_in_use'));
        await expect(registry.putPlan(custom, change)).rejects.toEqual(code('plan_in_use'));
        await registry.updateKey(key.id, { status: 'revoked' }, change);
        expect((await registry.putPlan(custom, change)).custom).toBe(true);
        await registry.deletePlan('free', change);
        expect(await registry.getKey(key.id)).toMatchObject({ plan: 'free', status: 'revoked' });
        // A key whose plan was deleted can still be renamed.
        expect((await registry.updateKey(key.id, { name: 'old' }, change)).name).toBe('old');
      });

      test('cannot be deleted while a key is created on them', async () => {
        const results = await Promise.allSettled([create(), registry.deletePlan('free', change), create()]);
        const [first, deleted, second] = results.map(({ status }) => status === 'fulfilled');
        expect(deleted).toBe(!first && !second);
      });

      test.each([
        ['a plan without limits', { limits: null }],
        ['a custom plan with limits', { custom: true }],
        ['a limit of zero', { limits: { minute: 0, day: 10 } }],
        ['a fractional limit', { limits: { minute: 1.5, day: 10 } }],
        ['a limit too large to be exact', { limits: { minute: 1, day: 2 ** 53 } }],
        ['a minute limit above the day limit', { limits: { minute: 11, day: 10 } }],
      ])('are rejected because of their limits: %s', async (_, over: Partial<Plan>) => {
        await expect(registry.putPlan({ ...free, ...over }, change)).rejects.toEqual(code('limits_mismatch'));
      });

      test('can have limits up to the largest exact integer', async () => {
        const limits = { minute: Number.MAX_SAFE_INTEGER, day: Number.MAX_SAFE_INTEGER };
        await registry.putPlan({ ...free, limits }, change);
        expect((await registry.getPlan('free'))?.limits).toEqual(limits);
      });
    });

    describe('keys', () => {
      test('are found by id and by hash, with all their fields', async () => {
        const given = createNewKey({ metadata: { team: 'zoo', ünï: '"' }, expiresAt: AT + 1, quotaId: 'key_other' });
        const key = await registry.createKey(given, change);
        const unused = { rotatedTo: null, quietSince: null, lastUsedAt: null, lastUsedFrom: null };
        expect(key).toEqual({ ...given, ...unused, revision: expect.any(Number) });
        expect(await registry.getKey(key.id)).toEqual(key);
        expect(await registry.findCredential(key.hash)).toEqual(toCredential(key, await registry.getPlan('free')));
        expect(invalidations).toEqual([{ kind: 'key', hash: key.hash }]);
        expect(await registry.getKey('key_none')).toBeNull();
        expect(await registry.findCredential('none')).toBeNull();
      });

      test('cannot be created on a plan that does not exist, and leave no trace', async () => {
        const key = createNewKey({ plan: 'none' });
        await expect(registry.createKey(key, change)).rejects.toEqual(code('plan_not_found'));
        expect(await registry.getKey(key.id)).toBeNull();
        expect(await audit(key.id)).toEqual([]);
        expect(invalidations).toEqual([]);
      });

      test('have limits if and only if their plan is custom', async () => {
        const limits = { minute: 5, day: 50 };
        await expect(create({ limits })).rejects.toEqual(code('limits_mismatch'));
        await expect(create({ plan: 'enterprise' })).rejects.toEqual(code('limits_mismatch'));
        await expect(create({ plan: 'enterprise', limits: { minute: 2, day: 1 } })).rejects.toEqual(
          code('limits_mismatch'),
        );
        expect((await create({ plan: 'enterprise', limits })).limits).toEqual(limits);
      });

      test('with an existing id or hash are rejected as a conflict', async () => {
        const key = await create();
        await expect(create({ id: key.id })).rejects.toEqual(code('conflict'));
        await expect(create({ hash: key.hash })).rejects.toEqual(code('conflict'));
        expect(await audit(key.id)).toHaveLength(1);
      });

      test('are created all or none in a batch, each with an audit entry', async () => {
        const keys = Array.from({ length: 2000 }, () => createNewKey());
        const broken = [...keys.slice(0, 10), createNewKey({ plan: 'none' })];
        await expect(registry.createKeys(broken, change)).rejects.toEqual(code('plan_not_found'));
        expect(await registry.getKey(keys[0]!.id)).toBeNull();
        expect(invalidations).toEqual([]);

        await registry.createKeys(keys, change);
        for (const key of [keys[0]!, keys[1999]!]) {
          expect(await registry.findCredential(key.hash)).toMatchObject({ keyId: key.id });
          expect(await audit(key.id)).toHaveLength(1);
          const covers = ({ kind, ...what }: Invalidation) =>
            kind === 'all' || ('hash' in what && what.hash === key.hash);
          expect(invalidations.some(covers)).toBe(true);
        }
        const listed = await everyPage({}, 100, async () => {});
        expect(listed.map(({ id }) => id)).toEqual(keys.map(({ id }) => id).toReversed());
      });

      test('are recorded in full in the audit log, except for the hash', async () => {
        const key = await create();
        const [entry] = await audit(key.id);
        const { hash, ...shown } = createNewKey(key);
        expect(entry).toMatchObject({ action: 'key.create', before: null, ...change });
        expect(entry?.after).toMatchObject({ id: shown.id, owner: shown.owner, plan: shown.plan });
        expect(JSON.stringify(await audit())).not.toContain(hash);
      });

      test('are stored without the secret, even if the caller passes it', async () => {
        const key = { ...createNewKey(), secret: 'tg_live_hush' };
        await registry.createKey(key, change);
        expect(JSON.stringify(await audit(key.id))).not.toContain('hush');
        expect(JSON.stringify(await registry.getKey(key.id))).not.toContain('hush');
      });

      test('are changed only in the fields of a patch', async () => {
        const key = await create({ metadata: { a: '1' }, expiresAt: AT + 5 });
        const patch = { name: 'renamed', metadata: { b: '2' }, expiresAt: null };
        const after = await registry.updateKey(key.id, patch, change);
        expect(after).toEqual({ ...key, ...patch, revision: expect.any(Number) });
        expect(after.revision).toBeGreaterThan(key.revision);
        expect(await registry.getKey(key.id)).toEqual(after);
        const [entry] = await audit(key.id);
        expect(entry).toMatchObject({ action: 'key.update', after: patch });
        expect(entry?.before).toEqual({ name: key.name, metadata: { a: '1' }, expiresAt: AT + 5 });
        expect(invalidations.at(-1)).toEqual({ kind: 'key', hash: key.hash });
      });

      test('do not change if a patch has no changes', async () => {
        const key = await create();
        invalidations.length = 0;
        expect(await registry.updateKey(key.id, { name: key.name, limits: null }, change)).toEqual(key);
        expect(await registry.updateKey(key.id, {}, change)).toEqual(key);
        expect(await audit(key.id)).toHaveLength(1);
        expect(invalidations).toEqual([]);
      });

      test('are changed only at the expected revision', async () => {
        const key = await create();
        const patch = { name: 'renamed' };
        await expect(registry.updateKey(key.id, patch, change, { revision: key.revision + 1 })).rejects.toEqual(
          code('conflict'),
        );
        const results = await Promise.allSettled([
          registry.updateKey(key.id, { name: 'one' }, change, { revision: key.revision }),
          registry.updateKey(key.id, { name: 'two' }, change, { revision: key.revision }),
        ]);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        await expect(registry.updateKey('key_none', patch, change)).rejects.toEqual(code('key_not_found'));
      });

      test('lose their limits when they leave a custom plan, and need limits when they join one', async () => {
        const limits = { minute: 5, day: 50 };
        const key = await create();
        const join = (patch: object) => registry.updateKey(key.id, { plan: 'enterprise', ...patch }, change);
        await expect(join({})).rejects.toEqual(code('limits_mismatch'));
        expect(await join({ limits })).toMatchObject({ plan: 'enterprise', limits });
        await expect(join({ limits: null })).rejects.toEqual(code('limits_mismatch'));
        expect(await registry.updateKey(key.id, { limits: { minute: 6, day: 60 } }, change)).toMatchObject({
          limits: { minute: 6, day: 60 },
        });
        await expect(registry.updateKey(key.id, { plan: 'pro', limits }, change)).rejects.toEqual(
          code('limits_mismatch'),
        );
        expect(await registry.updateKey(key.id, { plan: 'pro' }, change)).toMatchObject({ plan: 'pro', limits: null });
        await expect(registry.updateKey(key.id, { plan: 'none' }, change)).rejects.toEqual(code('plan_not_found'));
      });

      test('can be enabled again after being disabled, but not after being revoked', async () => {
        const key = await create();
        await registry.updateKey(key.id, { status: 'disabled' }, change);
        expect((await registry.updateKey(key.id, { status: 'active' }, change)).status).toBe('active');
        await registry.updateKey(key.id, { status: 'revoked' }, change);
        expect((await audit(key.id))[0]).toMatchObject({ action: 'key.revoke', after: { status: 'revoked' } });
        for (const status of ['active', 'disabled'] as const) {
          await expect(registry.updateKey(key.id, { status }, change)).rejects.toEqual(code('conflict'));
        }
        expect((await registry.updateKey(key.id, { status: 'revoked' }, change)).status).toBe('revoked');
        expect(await audit(key.id)).toHaveLength(4);
      });

      test('record their last use, which never moves back and does not count as a change', async () => {
        const key = await create();
        const other = await create();
        const entries = (await audit()).length;
        invalidations.length = 0;
        await registry.touchKeys(
          new Map([
            [key.id, AT + 120_000],
            ['key_none', AT],
          ]),
        );
        await registry.touchKeys(
          new Map([
            [key.id, AT + 60_000],
            [other.id, AT],
          ]),
        );
        await registry.touchKeys(new Map());
        expect(await registry.getKey(key.id)).toEqual({ ...key, lastUsedAt: AT + 120_000 });
        expect(await registry.getKey(other.id)).toEqual({ ...other, lastUsedAt: AT });
        expect(await audit()).toHaveLength(entries);
        expect(invalidations).toEqual([]);
        // A later change of the key keeps its last use.
        expect((await registry.updateKey(key.id, { name: 'x' }, change)).lastUsedAt).toBe(AT + 120_000);
      });
    });

    describe('a rotation', () => {
      test("creates a successor that inherits the key's properties, and ends the old key", async () => {
        const limits = { minute: 5, day: 50 };
        const key = await create({ plan: 'enterprise', limits, metadata: { a: '1' } });
        const next = createSuccessor();
        invalidations.length = 0;
        const made = await registry.rotateKey(key.id, next, { oldExpiresAt: AT + 1000 }, change);
        const { revision } = made;
        expect(made).toEqual({ ...key, ...next, revision, quotaId: key.quotaId });
        expect(await registry.getKey(next.id)).toEqual(made);
        expect(await registry.findCredential(next.hash)).toMatchObject({ keyId: next.id });
        expect(await registry.getKey(key.id)).toMatchObject({ rotatedTo: next.id, expiresAt: AT + 1000 });
        const hashes = invalidations.map((what) => ('hash' in what ? what.hash : '')).sort();
        expect(hashes).toEqual([key.hash, next.hash].sort());
        expect((await audit(key.id))[0]).toMatchObject({
          action: 'key.rotate',
          before: { rotatedTo: null, expiresAt: null },
          after: { rotatedTo: next.id, expiresAt: AT + 1000 },
        });
        expect((await audit(next.id))[0]).toMatchObject({ action: 'key.create', before: null });
      });

      test('gives the new key changes that were made after the caller read the old one', async () => {
        const key = await create();
        await registry.updateKey(key.id, { plan: 'pro' }, change);
        expect(
          (await registry.rotateKey(key.id, { ...key, ...createSuccessor() }, { oldExpiresAt: AT }, change)).plan,
        ).toBe('pro');
      });

      test('lets all keys of the chain share the counters of the first, and end at their agreed times', async () => {
        const key = await create({ expiresAt: AT + 10 });
        const second = await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        const third = await registry.rotateKey(second.id, createSuccessor(), { oldExpiresAt: AT + 5 }, change);
        expect(third).toMatchObject({ quotaId: key.quotaId, expiresAt: AT + 10, rotatedTo: null });
        expect(await registry.getKey(key.id)).toMatchObject({ expiresAt: AT + 10 });
        expect(await registry.getKey(second.id)).toMatchObject({ expiresAt: AT + 5 });
      });

      test('is refused for a key that was rotated before, is not active, or does not exist', async () => {
        const rotate = (id: string) => registry.rotateKey(id, createSuccessor(), { oldExpiresAt: AT }, change);
        const key = await create();
        const results = await Promise.allSettled([rotate(key.id), rotate(key.id)]);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        await expect(rotate(key.id)).rejects.toEqual(code('conflict'));
        for (const status of ['disabled', 'revoked'] as const) {
          await expect(rotate((await create({ status })).id)).rejects.toEqual(code('conflict'));
        }
        await expect(rotate((await create({ expiresAt: AT })).id)).rejects.toEqual(code('conflict'));
        await expect(rotate('key_none')).rejects.toEqual(code('key_not_found'));
        expect(await everyPage({}, 100, async () => {})).toHaveLength(5);
      });

      test('is refused above the maximum length of a chain, if there is one', async () => {
        const bounds = { maxKeys: 5, maxReplaced: 2, maxPerDay: 100 };
        const rotate = ({ id }: Key, oldExpiresAt: number) =>
          registry.rotateKey(id, createSuccessor(), { oldExpiresAt, bounds }, change);
        const first = await create();
        const second = await rotate(first, AT + 1000);
        const third = await rotate(second, AT + 1000);
        await expect(rotate(third, AT + 1000)).rejects.toEqual(code('too_many_keys'));
        // A key that ends immediately does not count toward the limit.
        const fourth = await rotate(third, AT);
        await expect(rotate(fourth, AT + 1000)).rejects.toEqual(code('too_many_keys'));
        await registry.updateKey(first.id, { status: 'revoked' }, change);
        const fifth = await rotate(fourth, AT + 1000);
        await expect(rotate(fifth, AT)).rejects.toEqual(code('too_many_keys'));
        expect(await registry.rotateKey(fifth.id, createSuccessor(), { oldExpiresAt: AT }, change)).toMatchObject({
          quotaId: first.id,
        });
      });

      test('limits the lifetime of the old key, which can then not be made unlimited', async () => {
        const key = await create();
        await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT }, change);
        await expect(registry.updateKey(key.id, { expiresAt: null }, change)).rejects.toEqual(code('conflict'));
        expect(await registry.updateKey(key.id, { expiresAt: AT + 9 }, change)).toMatchObject({ expiresAt: AT + 9 });
      });
    });

    /**
     * A rotated key stays valid for its grace period. Changes of plan and revocations of the new key must apply to the
     * old one as well.
     */
    describe('a rotation chain', () => {
      let chain: Key[];
      beforeEach(async () => {
        const first = await create({ quotaId: 'key_shared' });
        const second = await registry.rotateKey(first.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        const third = await registry.rotateKey(second.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        // This chain shares its quota with another one, like the keys of an account.
        const other = await create({ quotaId: 'key_shared' });
        chain = [first, second, third, other];
        invalidations.length = 0;
      });
      const now = () => Promise.all(chain.map(async ({ id }) => (await registry.getKey(id))!));
      const statuses = async () => (await now()).map(({ status }) => status);
      const plans = async () => (await now()).map(({ plan }) => plan);

      test('has the plan and limits of its newest key, and each change has an audit entry per key', async () => {
        const limits = { minute: 5, day: 50 };
        await registry.updateKey(chain[2]!.id, { plan: 'enterprise', limits }, change);
        expect(await plans()).toEqual(['enterprise', 'enterprise', 'enterprise', 'free']);
        const [first, , third] = await now();
        expect(first!.limits).toEqual(limits);
        expect(invalidations.map((what) => ('hash' in what ? what.hash : '')).sort()).toEqual(
          chain
            .slice(0, 3)
            .map(({ hash }) => hash)
            .sort(),
        );
        for (const { id, revision } of [first!, third!]) {
          const [entry] = await audit(id);
          expect(entry).toMatchObject({
            sequence: revision,
            action: 'key.update',
            after: { plan: 'enterprise', limits },
          });
        }
        await registry.updateKey(chain[2]!.id, { limits: { minute: 6, day: 60 } }, change);
        expect((await now())[1]!.limits).toEqual({ minute: 6, day: 60 });
      });

      test('refuses another plan for a replaced key, and the error names the key to change', async () => {
        const refused = registry.updateKey(chain[0]!.id, { plan: 'pro' }, change);
        await expect(refused).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining(chain[2]!.id),
        });
        expect(await plans()).toEqual(['free', 'free', 'free', 'free']);
        await registry.updateKey(chain[0]!.id, { plan: 'free', name: 'old' }, change);
        await registry.updateKey(chain[0]!.id, { plan: 'pro' }, change, { wholeChain: true });
        expect(await plans()).toEqual(['pro', 'pro', 'pro', 'free']);
      });

      test.each(['revoked', 'disabled'] as const)('is %s up to the key in the request', async (status) => {
        await registry.updateKey(chain[1]!.id, { status, name: 'ended' }, change);
        expect(await statuses()).toEqual([status, status, 'active', 'active']);
        expect((await now()).map(({ name }) => name)).toEqual(['a key', 'ended', 'a key', 'a key']);
        const action = status === 'revoked' ? 'key.revoke' : 'key.update';
        expect((await audit(chain[0]!.id))[0]).toMatchObject({ action, after: { status } });
      });

      test('is ended as a whole if the request asks for it', async () => {
        await registry.updateKey(chain[0]!.id, { status: 'revoked' }, change, { wholeChain: true });
        expect(await statuses()).toEqual(['revoked', 'revoked', 'revoked', 'active']);
      });

      test('is enabled key by key or as a whole, and revoked keys stay revoked', async () => {
        await registry.updateKey(chain[0]!.id, { status: 'revoked' }, change);
        await registry.updateKey(chain[2]!.id, { status: 'disabled' }, change);
        await registry.updateKey(chain[2]!.id, { status: 'active' }, change);
        expect(await statuses()).toEqual(['revoked', 'disabled', 'active', 'active']);
        await registry.updateKey(chain[2]!.id, { status: 'active' }, change, { wholeChain: true });
        expect(await statuses()).toEqual(['revoked', 'active', 'active', 'active']);
      });

      test('stays consistent when its keys change concurrently', async () => {
        const other = await made.peer();
        const results = await Promise.allSettled([
          registry.updateKey(chain[2]!.id, { plan: 'pro' }, change),
          other.rotateKey(chain[2]!.id, createSuccessor(), { oldExpiresAt: AT }, change),
          registry.updateKey(chain[2]!.id, { plan: 'pro' }, change),
        ]);
        const rotation = results[1] as PromiseFulfilledResult<Key>;
        const newest = (await registry.getKey(rotation.value.id))!;
        const [first, second, third] = await plans();
        expect([first, second, third]).toEqual([newest.plan, newest.plan, newest.plan]);
      });
    });

    describe('a search for keys', () => {
      const found = async (search: string, filter: KeyFilter = {}) =>
        (await everyPage({ search, ...filter }, 2, async () => {})).map(({ name }) => name);

      test('finds part of a name, owner, id or prefix, in any case, newest first', async () => {
        const one = await create({ name: 'Shop Backend', owner: 'acme' });
        await create({ name: 'Ünïted_100% "quoted" back\\slash', owner: 'other' });
        await create({ name: 'shop frontend', owner: 'Acme Ltd' });
        expect(await found('shop')).toEqual(['shop frontend', 'Shop Backend']);
        expect(await found('ACME')).toEqual(['shop frontend', 'Shop Backend']);
        expect(await found('p ba')).toEqual(['Shop Backend']);
        expect(await found(one.id.slice(6, 14).toLowerCase())).toEqual(['Shop Backend']);
        expect(await found(one.prefix.slice(-6))).toEqual(['Shop Backend']);
        expect(await found('ÜNÏT')).toHaveLength(1);
        for (const literal of ['0% "', 'd_1', '"quoted"', 'k\\s']) expect(await found(literal)).toHaveLength(1);
        for (const none of ['d%1', 's_op', 'shop OR acme', 'sho*', 'acmeShop']) expect(await found(none)).toEqual([]);
      });

      test('can be combined with other filters and with pages', async () => {
        for (let n = 0; n < 5; n++) await create({ name: `shop ${n}`, plan: n % 2 === 0 ? 'free' : 'pro' });
        expect(await found('shop')).toEqual(['shop 4', 'shop 3', 'shop 2', 'shop 1', 'shop 0']);
        expect(await found('shop', { plan: 'pro' })).toEqual(['shop 3', 'shop 1']);
        expect(await found('shop', { plan: 'pro', status: 'revoked' })).toEqual([]);
      });

      /** The search starts with the newest keys, but must continue with the others. */
      test('finds keys that are older than thousands of others', async () => {
        await create({ name: 'sought filler', owner: 'acme' });
        const filler = () => createNewKey({ name: 'filler', owner: 'other' });
        for (let lot = 0; lot < 3; lot++) await registry.createKeys(Array.from({ length: 800 }, filler), change);
        const names = async (filter: KeyFilter) =>
          (await registry.listKeys(filter, { limit: 2 })).items.map(({ name }) => name);
        expect(await names({ search: 'sought' })).toEqual(['sought filler']);
        expect(await names({ search: 'filler', owner: 'acme' })).toEqual(['sought filler']);
        expect(await names({ search: 'filler' })).toEqual(['filler', 'filler']);
      });

      test('finds a renamed key only by its new name', async () => {
        const { id } = await create({ name: 'before' });
        await registry.updateKey(id, { name: 'after' }, change);
        expect(await found('before')).toEqual([]);
        expect(await found('after')).toEqual(['after']);
      });
    });

    describe('lists of keys', () => {
      test('can be filtered by owner, plan and status, and by combinations of them', async () => {
        const first = await create({ owner: 'acme' });
        const second = await create({ owner: 'acme', plan: 'pro' });
        const third = await create({ owner: 'other', plan: 'pro' });
        await registry.updateKey(second.id, { status: 'disabled' }, change);
        const ids = async (filter: KeyFilter) => (await everyPage(filter, 2, async () => {})).map(({ id }) => id);
        expect(await ids({})).toEqual([third.id, second.id, first.id]);
        expect(await ids({ owner: 'acme' })).toEqual([second.id, first.id]);
        expect(await ids({ plan: 'pro' })).toEqual([third.id, second.id]);
        expect(await ids({ status: 'disabled' })).toEqual([second.id]);
        expect(await ids({ owner: 'acme', plan: 'pro', status: 'active' })).toEqual([]);
        expect(await ids({ owner: 'acme', plan: 'pro', status: 'disabled' })).toEqual([second.id]);
        await registry.updateKey(third.id, { plan: 'free' }, change);
        expect(await ids({ plan: 'pro' })).toEqual([second.id]);
        expect(await ids({ owner: "' OR 1=1" })).toEqual([]);
      });

      test('can be filtered by last use, and have no revoked keys unless these are requested', async () => {
        const given = ['never', 'lately', 'long ago', 'revoked', 'disabled'];
        const keys = [];
        for (const name of given) keys.push(await create({ owner: name === 'never' ? 'other' : 'acme', name }));
        const [never = '', lately = '', longAgo = '', revoked = '', disabled = ''] = keys.map(({ id }) => id);
        const madeAt = keys[0]!.createdAt;
        await registry.touchKeys(
          new Map([
            [lately, madeAt + 5000],
            [longAgo, madeAt + 1000],
          ]),
        );
        await registry.updateKey(revoked, { status: 'revoked' }, change);
        await registry.updateKey(disabled, { status: 'disabled' }, change);
        const ids = async (filter: KeyFilter) => (await everyPage(filter, 2, async () => {})).map(({ id }) => id);
        expect(await ids({ unusedSince: madeAt + 1000 })).toEqual([disabled, longAgo, never]);
        expect(await ids({ unusedSince: madeAt + 999 })).toEqual([disabled, never]);
        expect(await ids({ unusedSince: madeAt - 1 })).toEqual([]);
        expect(await ids({ unusedSince: madeAt + 5000, owner: 'acme' })).toEqual([disabled, longAgo, lately]);
        expect(await ids({ unusedSince: madeAt, status: 'revoked' })).toEqual([revoked]);
        expect(await ids({ unusedSince: madeAt + 5000, search: 'late' })).toEqual([lately]);
        const { total } = await registry.listKeys({ unusedSince: madeAt }, { limit: 10 });
        expect([total, (await registry.listKeys({ unusedSince: madeAt }, { limit: 1 })).total]).toEqual([2, null]);
      });

      const sorts = ['createdAt', 'name', 'owner', 'plan', 'status', 'expiresAt', 'lastUsedAt'] as const;

      test.each(sorts)(
        'can be sorted by %s in both directions, in pages that neither repeat nor skip keys',
        async (by) => {
          for (let n = 0; n < 9; n++) {
            const name = ['beta', 'Alpha', 'gamma 🎉 %:'][n % 3]!;
            const expiresAt = n % 3 === 0 ? null : AT + n * 1e9;
            const owner = ['b', 'a'][n % 2]!;
            const key = await create({ name, owner, plan: ['pro', 'free'][n % 2]!, expiresAt });
            if (n % 4 === 0) await registry.touchKeys(new Map([[key.id, AT + (10 - n) * 60_000]]));
            if (n === 5) await registry.updateKey(key.id, { status: 'disabled' }, change);
          }
          const values: Record<(typeof sorts)[number], (key: Key) => string | number> = {
            createdAt: ({ id }) => created.indexOf(id),
            name: ({ name }) => name.toLowerCase(),
            owner: ({ owner }) => owner,
            plan: ({ plan }) => plan,
            status: ({ status }) => status,
            expiresAt: ({ expiresAt }) => expiresAt ?? Infinity,
            lastUsedAt: ({ lastUsedAt }) => lastUsedAt ?? 0,
          };
          const newestFirst = (await registry.listKeys({}, { limit: 100 })).items;
          const created = newestFirst.map(({ id }) => id).toReversed();
          const place = (key: Key): [string | number, number] => [values[by](key), created.indexOf(key.id)];
          for (const filter of [{}, { owner: 'b' }, { search: 'alpha' }, { expiresUntil: AT + 5e9 }]) {
            const matching = (await registry.listKeys(filter, { limit: 100 })).items;
            const ascending = matching.toSorted((a, b) => {
              const [[one, first], [other, second]] = [place(a), place(b)];
              return one < other ? -1 : one > other ? 1 : first - second;
            });
            for (const descending of [false, true]) {
              const ids: string[] = [];
              let cursor: string | undefined;
              do {
                const page = await registry.listKeys(filter, { limit: 2, cursor }, { by, descending });
                ids.push(...page.items.map(({ id }) => id));
                cursor = page.nextCursor ?? undefined;
              } while (cursor !== undefined);
              const expected = (descending ? ascending.toReversed() : ascending).map(({ id }) => id);
              expect([filter, descending, ids]).toEqual([filter, descending, expected]);
            }
          }
        },
      );

      test('refuse a cursor of another order', async () => {
        await registry.createKeys([createNewKey(), createNewKey()], change);
        const sorted = async (by: (typeof sorts)[number], descending: boolean, cursor?: string) =>
          (await registry.listKeys({}, { limit: 1, cursor }, { by, descending })).nextCursor!;
        const cursor = await sorted('name', true);
        await expect(sorted('name', false, cursor)).rejects.toEqual(code('invalid_cursor'));
        await expect(sorted('owner', true, cursor)).rejects.toEqual(code('invalid_cursor'));
        await expect(sorted('createdAt', true, cursor)).rejects.toEqual(code('invalid_cursor'));
        const forged = (text: string) => Buffer.from(text).toString('base64url');
        for (const position of ['1', '0:a', '1:%00', '1:%', '1:a:b', 'x:a', '1e0:a', '1:%61']) {
          await expect(sorted('name', true, forged(`keys -name:${position}`))).rejects.toEqual(code('invalid_cursor'));
        }
        for (const position of ['1:a', '1:', '1:1e3', '1:9007199254740993']) {
          await expect(sorted('expiresAt', true, forged(`keys -expiresAt:${position}`))).rejects.toEqual(
            code('invalid_cursor'),
          );
        }
      });

      test('can be filtered by expiry, replacement and quota, and have no revoked keys unless requested', async () => {
        const [never, soon, late, gone] = [
          await create({ name: 'never' }),
          await create({ name: 'soon', expiresAt: AT + 1000 }),
          await create({ name: 'late', expiresAt: AT + 9000 }),
          await create({ name: 'gone', expiresAt: AT + 1000 }),
        ];
        const next = await registry.rotateKey(late.id, createSuccessor(), { oldExpiresAt: AT + 5000 }, change);
        await registry.updateKey(gone.id, { status: 'revoked' }, change);
        const ids = async (filter: KeyFilter) => (await everyPage(filter, 2, async () => {})).map(({ id }) => id);
        expect(await ids({ expiresUntil: AT + 1000 })).toEqual([soon.id]);
        expect(await ids({ expiresUntil: AT + 1000, status: 'revoked' })).toEqual([gone.id]);
        expect(await ids({ expiresAfter: AT + 999, expiresUntil: AT + 6000 })).toEqual([late.id, soon.id]);
        expect(await ids({ expiresAfter: AT + 1000, isReplaced: false })).toEqual([next.id]);
        expect(await ids({ isReplaced: true })).toEqual([late.id]);
        expect(await ids({ quotaIds: [late.quotaId, never.quotaId] })).toEqual([next.id, late.id, never.id]);
        expect(await ids({ quotaIds: [] })).toEqual([]);
      });

      test('find old keys beyond the part of the table that is searched first', async () => {
        await create({ name: 'sought', owner: 'acme', expiresAt: AT });
        const filler = () => createNewKey({ name: 'filler', owner: 'other' });
        for (let lot = 0; lot < 22; lot++) {
          const keys = Array.from({ length: 1000 }, filler).map((key) => ({ ...key, ...UNUSED }));
          await made.database.transaction((tx) => insertKeys(tx, keys));
        }
        const order = { by: 'name', descending: true } as const;
        const names = async (filter: KeyFilter, limit: number) =>
          (await registry.listKeys(filter, { limit }, order)).items.map(({ name }) => name);
        expect(await names({}, 1)).toEqual(['sought']);
        expect(await names({ status: 'active' }, 2)).toEqual(['sought', 'filler']);
        expect(await names({ search: 'sought' }, 2)).toEqual(['sought']);
        expect(await names({ expiresUntil: AT }, 2)).toEqual(['sought']);
        const owners = await registry.listOwners(undefined, { limit: 1 }, { by: 'keys', descending: true });
        expect(owners.items).toEqual([
          { owner: 'other', keys: 22_000, activeKeys: 22_000, plans: ['free'], lastUsedAt: null },
        ]);
      });

      test('have a total on the first page if a single index can count it', async () => {
        for (const owner of ['acme', 'acme', 'acme', 'other']) await create({ owner, name: 'shop' });
        const total = async (filter: KeyFilter, limit = 2) => (await registry.listKeys(filter, { limit })).total;
        expect(await total({})).toBe(4);
        expect([
          await total({ owner: 'acme' }),
          await total({ plan: 'free' }),
          await total({ status: 'active' }),
        ]).toEqual([3, 4, 4]);
        expect([await total({ owner: 'nobody' }), await total({ owner: 'acme', plan: 'free' })]).toEqual([0, null]);
        expect([await total({ search: 'shop' }), await total({ search: 'shop' }, 4)]).toEqual([null, 4]);
        const { nextCursor } = await registry.listKeys({}, { limit: 2 });
        expect((await registry.listKeys({}, { limit: 2, cursor: nextCursor! })).total).toBeNull();
      });

      test('can be grouped by owner, listed by name, and searched by part of the name in any case', async () => {
        for (const owner of ['cab', 'acme', 'Acme two', 'acme', '100%_\\']) await create({ owner });
        const [gone] = (await registry.listKeys({ owner: 'acme' }, { limit: 1 })).items;
        await registry.updateKey(gone!.id, { status: 'revoked' }, change);
        const owners = async (search?: string) =>
          (await registry.listOwners(search, { limit: 10 })).items.map(({ owner }) => owner);
        expect((await registry.listOwners('acme', { limit: 10 })).items).toContainEqual({
          owner: 'acme',
          keys: 2,
          activeKeys: 1,
          plans: ['free'],
          lastUsedAt: null,
        });
        expect((await owners()).toSorted()).toEqual(['100%_\\', 'Acme two', 'acme', 'cab']);
        expect((await owners('ACME')).toSorted()).toEqual(['Acme two', 'acme']);
        expect([await owners('%'), await owners('_\\'), await owners('b')]).toEqual([
          ['100%_\\'],
          ['100%_\\'],
          ['cab'],
        ]);
        expect(await owners('nobody')).toEqual([]);
        const account = { owner: 'cab', name: 'Taxi Ltd', email: 'tom@taxi.example', plan: 'free' };
        await new Accounts(made.database, pino({ level: 'silent' })).create(account, change);
        expect([await owners('TAXI L'), await owners('tom@'), await owners('%ltd')]).toEqual([['cab'], ['cab'], []]);
        const ranked = await registry.listOwners('taxi', { limit: 1 }, { by: 'keys', descending: true });
        expect(ranked.items).toMatchObject([{ owner: 'cab' }]);
        const all = await owners();
        const first = await registry.listOwners(undefined, { limit: 3 });
        const rest = await registry.listOwners(undefined, { limit: 3, cursor: first.nextCursor! });
        expect([...first.items, ...rest.items].map(({ owner }) => owner)).toEqual(all);
        expect(rest.nextCursor).toBeNull();
        const { nextCursor } = await registry.listKeys({}, { limit: 1 });
        const wrong = registry.listOwners(undefined, { limit: 3, cursor: nextCursor! });
        await expect(wrong).rejects.toEqual(code('invalid_cursor'));
      });

      test('grouped by owner can be sorted in both directions, and have the plans and last use of the keys', async () => {
        const used = new Map<string, number>();
        for (const [owner, keys] of Object.entries({ b: 3, a: 1, c: 2, 'd:1': 1 })) {
          for (let n = 0; n < keys; n++) {
            const key = await create({ owner, plan: n === 0 ? 'pro' : 'free' });
            if (owner === 'b' && n === 0) await registry.updateKey(key.id, { status: 'revoked' }, change);
            if (owner !== 'c') used.set(key.id, AT + (owner === 'a' ? 9 : n + 1) * 60_000);
          }
        }
        await registry.touchKeys(used);
        const requests = new Map(Object.entries({ c: 20, 'd:1': 3 }));
        const owners = async (by: OwnerOrder['by'], descending: boolean, search?: string) => {
          const found: Owner[] = [];
          let cursor: string | undefined;
          do {
            const page = await registry.listOwners(search, { limit: 2, cursor }, { by, descending }, requests);
            found.push(...page.items);
            cursor = page.nextCursor ?? undefined;
          } while (cursor !== undefined);
          return found;
        };
        const names = async (...args: Parameters<typeof owners>) => (await owners(...args)).map(({ owner }) => owner);
        expect(await names('owner', true)).toEqual(['d:1', 'c', 'b', 'a']);
        expect(await names('keys', true)).toEqual(['b', 'c', 'a', 'd:1']);
        expect(await names('keys', false)).toEqual(['a', 'd:1', 'c', 'b']);
        expect(await names('activeKeys', true)).toEqual(['b', 'c', 'a', 'd:1']);
        expect(await names('lastUsedAt', true)).toEqual(['a', 'b', 'd:1', 'c']);
        expect(await names('lastUsedAt', false, 'D')).toEqual(['d:1']);
        expect(await names('requests', true)).toEqual(['c', 'd:1', 'a', 'b']);
        expect(await names('requests', false)).toEqual(['a', 'b', 'd:1', 'c']);
        const [a, b, c] = await owners('owner', false);
        expect([a!.plans, b!.plans, c!.plans]).toEqual([['pro'], ['free'], ['free', 'pro']]);
        expect([a!.lastUsedAt, b!.lastUsedAt, c!.lastUsedAt]).toEqual([AT + 9 * 60_000, AT + 3 * 60_000, null]);
        const order = { by: 'keys', descending: true } as const;
        for (const junk of ['x:a', ':a', '1', '1e3:']) {
          const cursor = Buffer.from(`owners -keys:${junk}`).toString('base64url');
          const page = registry.listOwners(undefined, { limit: 2, cursor }, order);
          await expect(page.then(({ items }) => items.length)).rejects.toEqual(code('invalid_cursor'));
        }
      });

      test('have no cursor on the last page, even if that page is full', async () => {
        await registry.createKeys([createNewKey(), createNewKey()], change);
        expect((await registry.listKeys({}, { limit: 2 })).nextCursor).toBeNull();
      });

      test.each([1, 2, 3, 7])(
        'in pages of %d neither repeat nor skip keys while other keys come and go',
        async (limit) => {
          const keys = Array.from({ length: 12 }, () => createNewKey());
          await registry.createKeys(keys, change);
          let turn = 0;
          const seen = await everyPage({ status: 'active' }, limit, async () => {
            await create();
            // Revoke the last key of the page, which would make a cursor invalid that depends on this key.
            turn += limit;
            const gone = keys.at(-turn);
            if (gone !== undefined) await registry.updateKey(gone.id, { status: 'revoked' }, change);
          });
          expect(seen.map(({ id }) => id)).toEqual(keys.map(({ id }) => id).toReversed());
        },
      );

      test('refuse a cursor of another list', async () => {
        await registry.createKeys([createNewKey(), createNewKey()], change);
        const cursor = (await registry.listKeys({}, { limit: 1 })).nextCursor!;
        const auditCursor = (await registry.listAudit({}, { limit: 1 })).nextCursor!;
        for (const junk of ['', '1', 'null', `${cursor}=`, `${cursor} `, 'a2V5czow', 'a2V5czotMQ', 'é', auditCursor]) {
          await expect(registry.listKeys({}, { limit: 1, cursor: junk })).rejects.toEqual(code('invalid_cursor'));
        }
        await expect(registry.listAudit({}, { limit: 1, cursor })).rejects.toEqual(code('invalid_cursor'));
      });
    });

    describe('events about keys and plans', () => {
      const events = (subject?: string) => outboxEvents(made.database, { subject });
      const listEventTypes = async (subject?: string) => (await events(subject)).map(({ type }) => type);
      const shown = ({ id, name, owner, plan, limits, kind, prefix, lastFour }: Key) => {
        return { id, name, owner, plan, limits, kind, token: null, prefix, lastFour, expiresAt: null };
      };
      const all = { concurrent: null, operations: null, keyOperations: null };
      const findLastTerms = async (subject: string) => (await events(subject)).at(-1)?.data;

      test('report a new key only once, without its secret or hash', async () => {
        const key = await registry.createKey({ ...createNewKey(), secret: 'tg_live_hush' } as NewKey, change);
        expect(await events()).toEqual([
          {
            sequence: expect.any(Number),
            id: expect.stringMatching(/^evt_[0-9A-Za-z]{20}$/),
            type: 'key.created',
            subject: key.id,
            owner: key.owner,
            source: 'gateway',
            at: AT,
            data: shown(key),
          },
        ]);
        expect(JSON.stringify(await events())).not.toContain(key.hash);
      });

      test('report each of many new keys', async () => {
        const keys = Array.from({ length: 1200 }, () => createNewKey());
        await registry.createKeys(keys, change);
        const published = await events();
        expect(published.map(({ subject }) => subject)).toEqual(keys.map(({ id }) => id));
        expect(new Set(published.map(({ type }) => type))).toEqual(new Set(['key.created']));
      });

      test('report a rotation only once, with both keys', async () => {
        const key = await create();
        const next = await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        expect(await listEventTypes()).toEqual(['key.created', 'key.rotated']);
        expect((await events(next.id))[0]).toMatchObject({
          owner: key.owner,
          data: { key: shown(next), replaced: { id: key.id, expiresAt: new Date(AT + 1000).toISOString() } },
        });
      });

      test('report each revoked key, and no later changes of the key', async () => {
        const key = await create();
        const next = await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        const revoke = { status: 'revoked', plan: 'pro' } as const;
        for (let times = 0; times < 2; times++) await registry.updateKey(next.id, revoke, change);
        await registry.updateKey(next.id, { plan: 'free' }, change);
        expect(await listEventTypes(key.id)).toEqual(['key.created', 'key.revoked']);
        expect(await listEventTypes(next.id)).toEqual(['key.rotated', 'key.revoked']);
      });

      test('report a key with another plan or other custom limits', async () => {
        const key = await create();
        const first = { minute: 5, day: 50 };
        const second = { minute: 6, day: 50 };
        await registry.updateKey(key.id, { plan: 'enterprise', limits: first }, change);
        const joined = {
          before: { ...all, plan: 'free', limits: free.limits },
          after: { ...all, plan: 'enterprise', limits: first },
        };
        expect(await findLastTerms(key.id)).toEqual({ keyId: key.id, ...joined });
        await registry.updateKey(key.id, { limits: second }, change);
        expect(await findLastTerms(key.id)).toMatchObject({ before: { limits: first }, after: { limits: second } });
        await registry.updateKey(key.id, { plan: 'pro' }, change);
        const left = {
          before: { ...all, plan: 'enterprise', limits: second },
          after: { ...all, plan: 'pro', limits: pro.limits },
        };
        expect(await findLastTerms(key.id)).toEqual({ keyId: key.id, ...left });
        expect(await listEventTypes(key.id)).toEqual(['key.created', 'plan.changed', 'plan.changed', 'plan.changed']);
        expect((await events(key.id)).at(-1)).toMatchObject({ type: 'plan.changed', owner: 'acme', at: AT });
      });

      test('report a key that is restricted to other operations', async () => {
        const key = await create();
        await registry.updateKey(key.id, { operations: ['listPets', 'tag:orders'] }, change);
        const terms = { plan: 'free', limits: free.limits, concurrent: null, operations: null };
        const operations = ['listPets', 'tag:orders'];
        const restricted = {
          before: { ...terms, keyOperations: null },
          after: { ...terms, keyOperations: operations },
        };
        expect(await findLastTerms(key.id)).toEqual({ keyId: key.id, ...restricted });
        await registry.updateKey(key.id, { operations: operations.toReversed() }, change);
        await registry.updateKey(key.id, { addresses: ['192.0.2.0/24'] }, change);
        expect(await listEventTypes(key.id)).toEqual(['key.created', 'plan.changed']);
      });

      test('report another limit of concurrent requests of a key or a plan', async () => {
        await registry.putPlan({ ...free, concurrent: 9 }, change);
        expect(await findLastTerms('free')).toMatchObject({ before: { concurrent: null }, after: { concurrent: 9 } });
        const key = await create();
        await registry.updateKey(key.id, { concurrent: 4 }, change);
        expect(await findLastTerms(key.id)).toMatchObject({ before: { concurrent: 9 }, after: { concurrent: 4 } });
        expect(await registry.findCredential(key.hash)).toMatchObject({ concurrent: 4 });
      });

      test('report every key of a chain whose plan changes', async () => {
        const key = await create();
        const next = await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: AT + 1000 }, change);
        await registry.updateKey(next.id, { plan: 'pro' }, change);
        expect(await listEventTypes(key.id)).toEqual(['key.created', 'plan.changed']);
        expect(await listEventTypes(next.id)).toEqual(['key.rotated', 'plan.changed']);
      });

      test('report a plan with other limits, without an owner', async () => {
        const limits = { minute: 61, day: 1000 };
        await registry.putPlan({ ...free, limits }, change);
        expect(await events()).toEqual([
          expect.objectContaining({ type: 'plan.changed', subject: 'free', owner: null, source: 'gateway', at: AT }),
        ]);
        const terms = {
          before: { ...all, plan: 'free', limits: free.limits },
          after: { ...all, plan: 'free', limits },
        };
        expect(await findLastTerms('free')).toEqual({ keyId: null, ...terms });
        await registry.putPlan({ ...free, limits: null, custom: true }, change);
        expect(await findLastTerms('free')).toMatchObject({ before: { limits }, after: { limits: null } });
      });

      test('report a plan with other operations', async () => {
        const operations = ['listPets'];
        await registry.putPlan({ ...free, operations }, change);
        const terms = { ...all, plan: 'free', limits: free.limits };
        expect(await findLastTerms('free')).toEqual({ keyId: null, before: terms, after: { ...terms, operations } });
      });

      test('are not published for changes that are refused, have no effect or do not concern consumers', async () => {
        const key = await create();
        await registry.updateKey(key.id, { plan: 'free', limits: null, name: key.name }, change);
        await registry.updateKey(key.id, { name: 'renamed', metadata: { a: '1' }, expiresAt: AT + 5 }, change);
        for (const status of ['disabled', 'active'] as const) await registry.updateKey(key.id, { status }, change);
        await registry.updateKey(key.id, { plan: 'none' }, change).catch(() => {});
        await registry
          .rotateKey(key.id, { ...createSuccessor(), hash: key.hash }, { oldExpiresAt: AT }, change)
          .catch(() => {});
        await registry.createKeys([createNewKey(), createNewKey({ plan: 'none' })], change).catch(() => {});
        await registry.putPlan(free, change);
        await registry.putPlan({ ...free, name: 'Gratis', mode: 'shadow' }, change);
        await registry.putPlan({ ...free, id: 'new' }, change);
        await registry.deletePlan('new', change);
        expect(await listEventTypes()).toEqual(['key.created']);
      });
    });

    describe('the audit log', () => {
      test('accepts entries for changes stored elsewhere, and lists them newest first, in pages', async () => {
        for (let n = 1; n <= 5; n++) {
          await registry.appendAudit({
            ...change,
            action: 'usage.reset',
            subject: 'key_x',
            before: null,
            after: { until: n },
          });
        }
        const page = await registry.listAudit({ subject: 'key_x' }, { limit: 3 });
        await registry.appendAudit({ ...change, action: 'usage.delete', subject: 'key_x', before: null, after: null });
        const rest = await registry.listAudit({ subject: 'key_x' }, { limit: 3, cursor: page.nextCursor! });
        const untils = [...page.items, ...rest.items].map(({ after }) => after?.['until']);
        expect(untils).toEqual([5, 4, 3, 2, 1]);
        expect(rest.nextCursor).toBeNull();
        const sequences = page.items.map(({ sequence }) => sequence);
        expect(sequences).toEqual(sequences.toSorted((a, b) => b - a));
      });

      test('records the lift of a ban and its event only once, even if several gateways report it', async () => {
        const about = { keyId: 'key_x', quotaId: 'key_x', owner: 'acme' };
        const ban = { from: AT, until: AT + 60_000, level: 1, manual: false };
        const append = (at: Registry, until = ban.until) => {
          const ended = { ...ban, until };
          return at.appendWithEvent(createLiftEntry(change, about, ended), createUnbannedEvent(about, ended, change));
        };
        const other = await made.peer();
        await Promise.all([registry, other, registry, other].map((at) => append(at)));
        await append(registry, AT + 120_000);
        expect((await audit('key_x')).map(({ action }) => action)).toEqual(['ban.lift', 'ban.lift']);
        expect(await outboxEvents(made.database, { type: 'key.unbanned' })).toHaveLength(2);
      });

      test('can be filtered by subject, actor and time, including the start and excluding the end', async () => {
        for (const [actor, at] of [
          ['ann', 10],
          ['bob', 20],
          ['ann', 30],
        ] as const) {
          await registry.appendAudit({
            actor,
            at,
            reason: null,
            action: 'usage.reset',
            subject: `key_${at}`,
            before: null,
            after: null,
          });
        }
        const times = async (filter: object) =>
          (await registry.listAudit({ to: 1000, ...filter }, { limit: 100 })).items.map(({ at }) => at);
        expect(await times({})).toEqual([30, 20, 10]);
        expect(await times({ actor: 'ann' })).toEqual([30, 10]);
        expect(await times({ from: 20, to: 30 })).toEqual([20]);
        expect(await times({ actor: 'ann', from: 11 })).toEqual([30]);
        expect(await times({ subject: 'key_20' })).toEqual([20]);
        const signIn = { actor: 'ann', at: 40, reason: null, subject: 'ann', before: null, after: null };
        await registry.appendAudit({ ...signIn, action: 'session.start' });
        expect(await times({ actor: 'ann' })).toEqual([40, 30, 10]);
        expect(await times({ actor: 'ann', withoutSignIns: true })).toEqual([30, 10]);
        expect(await times({ subject: 'key_20', actor: 'ann' })).toEqual([]);

        const deletion = { actor: 'bob', at: 40, reason: null, subject: 'key_20', before: null, after: null };
        await registry.appendAudit({ ...deletion, action: 'usage.delete' });
        expect(await times({ action: 'usage.delete' })).toEqual([40]);
        expect(await times({ action: 'usage.reset' })).toEqual([30, 20, 10]);
        expect(await times({ action: 'usage.reset', subject: 'key_20' })).toEqual([20]);
        expect(await times({ action: 'usage.delete', actor: 'ann' })).toEqual([]);
        expect(await times({ action: 'usage' })).toEqual([]);

        const first = await registry.listAudit({ action: 'usage.reset' }, { limit: 2 });
        const next = { limit: 2, cursor: first.nextCursor! };
        const second = await registry.listAudit({ action: 'usage.reset' }, next);
        expect([...first.items, ...second.items].map(({ at }) => at)).toEqual([30, 20, 10]);
        expect(second.nextCursor).toBeNull();
      });

      test('has no entry for a refused change', async () => {
        const key = await create();
        const entries = (await audit()).length;
        invalidations.length = 0;
        await registry.updateKey(key.id, { plan: 'none' }, change).catch(() => {});
        await registry.deletePlan('free', change).catch(() => {});
        await registry
          .rotateKey(key.id, { ...createSuccessor(), hash: key.hash }, { oldExpiresAt: AT }, change)
          .catch(() => {});
        expect(await audit()).toHaveLength(entries);
        expect(await registry.getKey(key.id)).toEqual(key);
        expect(invalidations).toEqual([]);
      });
    });

    describe('bans', () => {
      const about = (quotaId: string) => ({ keyId: 'key_x', quotaId, owner: 'acme' });
      const ban = { from: AT, until: AT + 60_000, level: 2, manual: true };
      const start = (quotaId: string, one = ban) =>
        registry.appendAudit(createStartEntry(change, about(quotaId), one, null, null), [
          createBannedEvent(about(quotaId), one, change),
        ]);
      const lift = (quotaId: string, one = ban) =>
        registry.appendWithEvent(
          createLiftEntry(change, about(quotaId), one),
          createUnbannedEvent(about(quotaId), one, change),
        );
      const started = (quotaId: string, one = ban) => ({ kind: 'started', quotaId, ban: one });
      const lifted = (quotaId: string, one = ban) => ({ kind: 'lifted', quotaId, from: one.from });

      test('are announced to the gateways, and so are their lifts', async () => {
        const changes: (BanChange | null)[] = [];
        createBanSource(made.database, () => AT).onChange((one) => changes.push(one));
        const key = await create();
        await start(key.quotaId);
        await lift(key.quotaId);
        await lift(key.quotaId);
        const automatic = { ...ban, level: 12, manual: false };
        const entry = createStartEntry(change, about('other'), automatic, null, null);
        await registry.appendBan(entry, createAutomaticBanEvent(about('other'), automatic, change));
        expect(changes).toEqual([started(key.quotaId), lifted(key.quotaId), started('other', automatic)]);
        expect(invalidations).toEqual([{ kind: 'key', hash: key.hash }]);
      });

      test('that do not fit into a notification are announced as missed', async () => {
        const changes: (BanChange | null)[] = [];
        createBanSource(made.database, () => AT).onChange((one) => changes.push(one));
        await start('x'.repeat(60));
        expect(changes).toEqual([null]);
      });

      test('can be read with their lifts until they would have ended', async () => {
        const source = createBanSource(made.database, () => AT + 1000);
        const [longer, over] = [
          { ...ban, until: AT + 120_000 },
          { ...ban, until: AT + 1000 },
        ];
        await start('over', over);
        await start('banned');
        await start('lifted', longer);
        await lift('lifted', longer);
        const many = Array.from({ length: 600 }, (_, index) => `many-${index}`);
        for (const quotaId of many) await start(quotaId);
        const read = await source.read();
        expect(read).toHaveLength(many.length + 3);
        const expected = [started('banned'), started('lifted', longer), lifted('lifted', longer), started('many-0')];
        expect(read).toEqual(expect.arrayContaining(expected));
      });
    });

    test('keys, plans and audit entries are the same after the database was reopened', async () => {
      const key = await create({ metadata: { a: '1' } });
      const plans = await registry.listPlans();
      const entries = await audit();
      const other = await made.reopen();
      expect(await other.getKey(key.id)).toEqual(key);
      expect(await other.listPlans()).toEqual(plans);
      expect((await other.listAudit({}, { limit: 100 })).items).toEqual(entries);
    });
  });
}
