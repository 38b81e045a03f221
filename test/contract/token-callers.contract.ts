/** Callers with access tokens meet these requirements on every database, with two gateways. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteForgottenHistory, deleteUnusedCallers } from '../../src/control-plane/accounts/caller-deletion.ts';
import { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import type { HistoryStore } from '../../src/control-plane/history/store/history-store.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import type { CallerRefusal, RegisterCallerOptions } from '../../src/data-plane/boundary-types.ts';
import type { Credential } from '../../src/domain/credential.ts';
import { hashCaller, type TokenCaller } from '../../src/domain/token-caller.ts';
import { startAdmin } from '../support/gateway/admin.ts';
import { addCounts } from '../support/history/counts.ts';
import { type HistoryDatabase, logger } from '../support/history/history-database.ts';
import { enterprise, free, createNewKey, pro } from '../support/registry-data.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12);
const ISSUER = 'https://login.example.com';
const change = { actor: 'ops', reason: null, at: NOW };
const neverStopped = () => false;
const options = { plan: 'free', maxCallers: 100, claims: ['azp', 'client_id', 'sub'], now: NOW };

function toCaller(value: string, over: Partial<TokenCaller> = {}): TokenCaller {
  return { name: 'corp', issuer: ISSUER, claim: 'client_id', value, subject: null, planFromClaim: null, ...over };
}

function user(subject: string, over: Partial<TokenCaller> = {}): TokenCaller {
  return toCaller(subject, { claim: 'sub', subject, ...over });
}

export function tokenCallersContract(name: string, make: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let made: HistoryDatabase;
    let history: HistoryStore;
    let registry: Registry;
    let accounts: Accounts;
    beforeEach(async () => {
      made = await make();
      history = await made.open();
      registry = new Registry(made.records);
      accounts = new Accounts(made.records, logger);
      await registry.seedPlans([free, pro, enterprise], change);
    });
    afterEach(async () => {
      await history.close();
      await made.dispose();
    });

    const register = (caller: TokenCaller, over: Partial<RegisterCallerOptions> = {}) =>
      accounts.registerCaller(caller, { ...options, ...over });
    const registered = async (caller: TokenCaller, over: Partial<RegisterCallerOptions> = {}) => {
      const result: Credential | CallerRefusal = await register(caller, over);
      if (typeof result === 'string') throw new Error(result);
      return result;
    };
    const keysOfKind = async (kind: 'secret' | 'foreign' | 'token') =>
      (await registry.listKeys({ kind }, { limit: 100 })).items;
    const acme = () => accounts.create({ owner: 'acme', name: 'Acme', email: 'a@example.com', plan: 'pro' }, change);
    /** Signs in the user `alice`, which binds her identity to the account. */
    const signIn = (issuer = ISSUER) =>
      accounts.findByIdentity(
        { issuer, subject: 'alice', email: 'a@example.com', emailVerified: true, name: 'Alice' },
        { policy: 'invite', plan: 'free' },
        NOW,
      );

    test('the first token of a caller creates a key without a secret, and later tokens find that key', async () => {
      const credential = await registered(toCaller('app-1'));
      expect(credential).toMatchObject({
        kind: 'token',
        token: { name: 'corp', caller: 'app-1', claim: 'client_id' },
        owner: 'corp:app-1',
        plan: 'free',
        quotaId: credential.keyId,
        status: 'active',
      });
      expect(await registered(toCaller('app-1'), { plan: 'pro', maxCallers: 1 })).toEqual(credential);
      const [key, ...others] = await keysOfKind('token');
      expect(others).toEqual([]);
      expect(key).toMatchObject({ id: credential.keyId, prefix: '', lastFour: '', name: 'app-1', plan: 'free' });
      const { items } = await registry.listAudit({ subject: credential.keyId }, { limit: 10 });
      expect(items).toMatchObject([{ actor: 'system', action: 'key.create', after: { kind: 'token' } }]);
    });

    test('a secret never finds a caller, and a token finds only callers', async () => {
      const caller = toCaller('app-1');
      await registered(caller);
      expect(await registry.findCredential(hashCaller(caller), 'secret')).toBeNull();
      expect(await registry.findCredential(hashCaller(caller), 'token')).not.toBeNull();
      const key = await registry.createKey(createNewKey(), change);
      expect(await registry.findCredential(key.hash, 'token')).toBeNull();
      // An operator imports a secret whose hash is that of a caller which is not known yet.
      const other = toCaller('app-2');
      await registry.createKey(createNewKey({ kind: 'foreign', prefix: 'x', hash: hashCaller(other) }), change);
      expect(await register(other)).toBe('owner_taken');
      expect(await registry.listForeignHashes(0, 10)).toMatchObject([{ hash: hashCaller(other) }]);
    });

    test('a caller that several gateways see at once is created once, and maxCallers is never exceeded', async () => {
      const values = Array.from({ length: 12 }, (_, index) => `app-${index % 6}`);
      const results = await Promise.all(values.map((value) => register(toCaller(value), { maxCallers: 4 })));
      const ids = results.map((result) => (typeof result === 'string' ? result : result.keyId));
      expect(new Set(ids.filter((id) => id !== 'too_many')).size).toBe(4);
      expect(ids.filter((id) => id === 'too_many')).toHaveLength(4);
      expect(await keysOfKind('token')).toHaveLength(4);
      expect(
        await register(toCaller('app-7', { issuer: 'https://other.example.com' }), { maxCallers: 4 }),
      ).toMatchObject({
        owner: 'corp:app-7',
      });
    });

    test('a plan in a claim is used only if it exists and has limits', async () => {
      expect(await register(toCaller('a', { planFromClaim: 'pro' }))).toMatchObject({ plan: 'pro' });
      expect(await register(toCaller('b', { planFromClaim: 'enterprise' }))).toMatchObject({ plan: 'free' });
      expect(await register(toCaller('c', { planFromClaim: 'none' }))).toMatchObject({ plan: 'free' });
      expect(await register(toCaller('a', { planFromClaim: 'free' }))).toMatchObject({ plan: 'pro' });
      expect(await register(toCaller('d'), { plan: 'none' })).toBe('no_plan');
    });

    test('a user who signs in to an account shares its quota, and does not count as a key of the account', async () => {
      const account = await acme();
      await signIn();
      const credential = await registered(user('alice', { planFromClaim: 'free' }));
      expect(credential).toMatchObject({ owner: 'acme', quotaId: account.quotaId, plan: 'pro' });
      const made = await accounts.createKey(account.id, { name: 'a key' }, { maxKeys: 1 }, change);
      expect(made.key.quotaId).toBe(account.quotaId);
      await accounts.delete(account.id, change);
      expect(await registered(user('alice'))).toMatchObject({ status: 'revoked' });
    });

    test('callers other than the signed-in user do not get the quota of an account', async () => {
      await acme();
      await signIn();
      const others = [
        // An app that acts for the user is a caller of its own.
        toCaller('app-1', { subject: 'alice' }),
        user('alice', { name: 'other', issuer: 'https://other.example.com' }),
        user('bob'),
        toCaller('alice', { name: 'third', issuer: 'https://third.example.com', claim: 'azp', subject: 'alice' }),
      ];
      for (const caller of others) {
        const credential = await registered(caller);
        expect(credential).toMatchObject({ owner: `${caller.name}:${caller.value}`, quotaId: credential.keyId });
      }
    });

    test('a caller of a disabled account is not created', async () => {
      const account = await acme();
      await signIn();
      await accounts.update(account.id, { status: 'disabled' }, change);
      expect(await register(user('alice'))).toBe('account_disabled');
    });

    test('a caller whose owner name belongs to somebody else is refused', async () => {
      await accounts.create({ owner: 'corp:app-1', name: 'A', email: null, plan: 'free' }, change);
      await registry.createKey(createNewKey({ owner: 'corp:app-2' }), change);
      await registered(toCaller('app-3'));
      expect(await register(toCaller('app-1'))).toBe('owner_taken');
      expect(await register(toCaller('app-2'))).toBe('owner_taken');
      // This user has the id of a client as `sub`.
      expect(await register(user('app-3'))).toBe('owner_taken');
      // This is the same client, but with another claim or another URL of the issuer.
      expect(await register(toCaller('app-3', { claim: 'azp' }))).toMatchObject({ owner: 'corp:app-3' });
      expect(await register(toCaller('app-3', { issuer: `${ISSUER}/v2` }))).toMatchObject({ owner: 'corp:app-3' });
      const account = accounts.create({ owner: 'corp:app-3', name: 'B', email: null, plan: 'free' }, change);
      await expect(account).rejects.toMatchObject({ code: 'owner_taken' });
    });

    test('an operator can add a caller, which shares the quota of an account if it has the owner of the account', async () => {
      const account = await acme();
      const terms = { name: 'x', expiresAt: null, metadata: {}, limits: null, concurrent: null, operations: null };
      const more = { addresses: null, validation: null, plan: null, defaultPlan: 'free', claims: options.claims };
      const add = (value: string, owner: string | null) =>
        accounts.addCaller({ ...terms, ...more, caller: toCaller(value), owner }, change);
      expect(await add('app-1', 'acme')).toMatchObject({ quotaId: account.quotaId, plan: 'pro', kind: 'token' });
      const other = await add('app-2', null);
      expect(other).toMatchObject({ quotaId: other.id, plan: 'free', owner: 'corp:app-2' });
      expect(await registered(toCaller('app-1'))).toMatchObject({ quotaId: account.quotaId });
      await expect(add('app-1', null)).rejects.toMatchObject({ code: 'conflict' });
    });

    test('callers can be listed and changed together by their issuer', async () => {
      const lab = { name: 'lab', issuer: 'https://lab.example.com', caller: ['client_id'] };
      const corp = { ...lab, name: 'corp', issuer: ISSUER };
      const ids = await Promise.all(['app-1', 'app-2'].map(async (value) => (await registered(toCaller(value))).keyId));
      const other = await registered(toCaller('app-3', { name: lab.name, issuer: lab.issuer }));
      await registry.createKey(createNewKey(), change);
      const admin = await startAdmin({ registry, tokenIssuers: [corp, lab] });
      try {
        const list = async (query: string): Promise<string[]> =>
          (await admin.get(`/v1/keys?${query}`)).body.items.map(({ id }: { id: string }) => id);
        expect((await list('token=corp')).toSorted()).toEqual(ids.toSorted());
        expect(await list('token=lab&kind=token&sort=-lastUsedAt')).toEqual([other.keyId]);
        expect(await list('token=corp&kind=secret')).toEqual([]);
        expect((await admin.get('/v1/keys?token=corp&limit=1')).body.total).toBe(2);
        const bulk = { action: 'disable', filter: { token: 'lab' } };
        const { digest } = (await admin.post('/v1/keys/bulk', { ...bulk, preview: true })).body;
        expect((await admin.post('/v1/keys/bulk', { ...bulk, digest })).body).toMatchObject({ changed: 1 });
      } finally {
        await admin.stop();
      }
      const states = await Promise.all([...ids, other.keyId].map(async (id) => (await registry.getKey(id))?.status));
      expect(states).toEqual(['active', 'active', 'disabled']);
    });

    test('a caller cannot be rotated', async () => {
      const { keyId } = await registered(toCaller('app-1'));
      const successor = { id: 'key_n', kind: 'secret', hash: 'h', prefix: 'p', lastFour: 'l', createdAt: NOW } as const;
      const rotation = registry.rotateKey(keyId, successor, { oldExpiresAt: NOW }, change);
      await expect(rotation).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('no secret') });
    });

    test('older versions see a caller without operations, and cannot add a key to its chain', async () => {
      const { keyId } = await registered(toCaller('app-1'));
      const caller = { claim: 'client_id', caller: 'app-1' };
      const readRow = () =>
        made.records.read((queries) => queries.selectFrom('keys').selectAll().executeTakeFirstOrThrow());
      const listRestricted = async () => (await registry.keysWithOperations(10)).map(({ id }) => id);
      expect(await readRow()).toMatchObject({ operations: '[]', token_operations: null, chain: `token:${keyId}` });
      expect(await registry.getKey(keyId)).toMatchObject({ operations: null, token: caller });
      expect(await listRestricted()).toEqual([]);

      const { sequence, ...row } = await readRow();
      const successor = { ...row, id: 'key_n', hash: 'h', token_name: null, token_issuer: null };
      const rotation = made.records.transaction((tx) => tx.insertInto('keys').values(successor).execute());
      const error: unknown = await rotation.catch((reason: unknown) => reason);
      expect(made.records.dialect.isUniqueViolation(error)).toBe(true);

      await registry.updateKey(keyId, { operations: ['getPet'] }, change);
      expect(await readRow()).toMatchObject({ operations: '[]', token_operations: '["getPet"]' });
      expect(await registered(toCaller('app-1'))).toMatchObject({ keyOperations: ['getPet'] });
      expect(await listRestricted()).toEqual([keyId]);

      // A change by an older version applies until this version makes a change.
      await made.records.transaction((tx) => tx.updateTable('keys').set({ operations: '["listPets"]' }).execute());
      expect(await registry.getKey(keyId)).toMatchObject({ operations: ['listPets'] });
      await registry.updateKey(keyId, { name: 'other' }, change);
      expect(await readRow()).toMatchObject({ operations: '[]', token_operations: '["listPets"]' });
      await registry.updateKey(keyId, { operations: null }, change);
      expect(await registry.getKey(keyId)).toMatchObject({ operations: null });
    });

    test('callers that are unused for 90 days are deleted, unless an operator has changed them', async () => {
      const [unused, used, touched, revoked, ended] = [
        await registered(toCaller('a')),
        await registered(toCaller('b')),
        await registered(toCaller('c')),
        await registered(toCaller('d')),
        await registered(toCaller('e')),
      ];
      await registry.updateKey(touched.keyId, { name: 'Known' }, change);
      await registry.updateKey(revoked.keyId, { status: 'revoked' }, change);
      await registry.updateKey(ended.keyId, { status: 'revoked' }, { ...change, actor: 'system' });
      const key = await registry.createKey(createNewKey({ createdAt: NOW }), change);
      const clean = (days: number, issuers: readonly string[]) =>
        deleteUnusedCallers(made.records, issuers, NOW + days * DAY, neverStopped);
      expect(await clean(0, [ISSUER])).toBe(0);
      await registry.touchKeys(new Map([[used.keyId, NOW + 50 * DAY]]));
      expect(await clean(91, [ISSUER])).toBe(1);
      expect(await registry.getKey(unused.keyId)).toBeNull();
      for (const value of ['d', 'e']) expect(await registered(toCaller(value))).toMatchObject({ status: 'revoked' });
      // The issuer is no longer configured, so its revoked callers stay for 90 more days.
      expect(await clean(170, [])).toBe(1);
      expect(await registry.getKey(revoked.keyId)).not.toBeNull();
      expect(await clean(182, [])).toBe(2);
      expect(await registry.getKey(revoked.keyId)).toBeNull();
      expect(await registry.keysById([touched.keyId, key.id])).toHaveProperty('size', 2);
    });

    test('forgetting a caller deletes everything that names the caller', async () => {
      const { keyId } = await registered(user('alice'));
      const other = await registered(user('bob'));
      await registry.updateKey(keyId, { name: 'Alice of sales' }, change);
      const minute = NOW - (NOW % 60_000);
      const use = (id: string) =>
        addCounts(history, { minute, keyId: id, operation: 'listPets', firstAt: NOW, lastAt: NOW });
      await use(keyId);
      await use(other.keyId);
      const refusal = { quotaId: keyId, keyId, at: NOW, facts: { owner: 'corp:alice' } };
      await history.keepRefusals([{ requestId: 'r1', ...refusal }]);
      await accounts.forgetCaller(history, keyId, { ...change, reason: 'request 17' });
      expect(await registry.getKey(keyId)).toBeNull();
      expect(await history.findRefusals('r1')).toEqual([]);
      const { items } = await registry.listAudit({ subject: keyId }, { limit: 10 });
      expect(items).toMatchObject([
        { action: 'key.forget', actor: 'ops', reason: 'request 17', before: null, after: null },
      ]);
      for (const table of ['keys', 'audit', 'events', 'deliveries', 'delivery_attempts', 'claims'] as const) {
        const rows = await made.records.read((queries) => queries.selectFrom(table).selectAll().execute());
        expect(JSON.stringify(rows)).not.toContain('alice');
        expect(JSON.stringify(rows)).not.toContain('Alice');
      }
      const callers = async () =>
        (await history.callers({ operation: 'listPets', limit: 10 })).items.map(({ key }) => key);
      expect(await callers()).toEqual([other.keyId]);
      // A gateway may report later what it had counted before.
      await use(keyId);
      await deleteForgottenHistory(made.records, history, NOW + DAY);
      expect(await callers()).toEqual([other.keyId]);
      expect(await registered(user('alice'))).not.toMatchObject({ keyId });
    });

    test('a key with a secret cannot be forgotten', async () => {
      const key = await registry.createKey(createNewKey(), change);
      await expect(accounts.forgetCaller(history, key.id, change)).rejects.toMatchObject({ code: 'conflict' });
      await expect(accounts.forgetCaller(history, 'key_none', change)).rejects.toMatchObject({ code: 'key_not_found' });
    });
  });
}
