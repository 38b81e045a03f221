import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { MAX_SESSIONS, type SignIn } from '../../src/control-plane/sessions/session-store.ts';
import type { KeyStatus } from '../../src/domain/credential.ts';
import type {
  Account,
  AccountSort,
  NewAccount,
  ProviderIdentity,
  SignUp,
} from '../../src/control-plane/accounts/account.ts';
import {
  type AccountRequestStatus,
  MAX_DECIDED_REQUESTS,
  MAX_OPEN_REQUESTS,
  pruneAccountRequests,
} from '../../src/control-plane/accounts/account-requests.ts';
import { MAX_LINKS } from '../../src/control-plane/accounts/account-links.ts';
import type { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import type { PortalUser } from '../../src/control-plane/accounts/account-sessions.ts';
import type { Database } from '../../src/storage/database.ts';
import { copiedTables } from '../../src/storage/tables.ts';
import type { ChangeContext, NewAuditEntry } from '../../src/control-plane/registry/audit-log.ts';
import { getMaxNewKeysPerDay } from '../../src/control-plane/registry/daily-limits.ts';
import type { Key } from '../../src/control-plane/registry/key.ts';
import type { Registry } from '../../src/control-plane/registry/registry.ts';
import { enterprise, free, createNewKey, pro, createSuccessor } from '../support/registry-data.ts';
import { outboxEvents } from '../support/outbox-events.ts';

/** Accounts under test, in a separate database. */
export interface AccountsUnderTest {
  readonly accounts: Accounts;
  /** The accounts of another gateway that uses the same database. */
  readonly peer: Accounts;
  readonly registry: Registry;
  readonly database: Database;
  dispose(): Promise<void>;
}

const NOW = Date.parse('2026-06-15T12:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const change: ChangeContext = { actor: 'ops', reason: 'agreed', at: NOW };
const refusal = (code: string) => expect.objectContaining({ name: 'RegistryError', code });

let made: AccountsUnderTest;
let accounts: Accounts;
let registry: Registry;

const create = (over: Partial<NewAccount> = {}) =>
  accounts.create({ owner: 'acme', name: 'Acme', email: null, plan: 'free', ...over }, change);
const createKey = async ({ id }: Account, name = 'a key') =>
  (await accounts.createKey(id, { name }, { maxKeys: 50 }, change)).key;
/** Adds entries to the audit log, with the time `NOW`. */
async function addEntries(count: number, entry: Pick<NewAuditEntry, 'actor' | 'action' | 'subject'>): Promise<void> {
  const row = { ...entry, at: NOW, reason: null, before: null, after: null, bulk_id: null };
  const rows = Array.from({ length: count }, () => row);
  await made.database.transaction((tx) => tx.insertInto('audit').values(rows).execute());
}
const listActions = async (subject: string) =>
  (await registry.listAudit({ subject }, { limit: 100 })).items.map(({ action }) => action);
const readStatus = async (id: string) => (await registry.getKey(id))?.status;
const signIn = (user: PortalUser, at = NOW): SignIn<PortalUser> => ({
  user,
  cookie: 'tollgate-portal',
  address: '192.0.2.1',
  userAgent: 'X',
  at,
});
const byLink = ({ id: accountId }: Account): PortalUser => ({ method: 'link', accountId });
const identity = (over: Partial<ProviderIdentity> = {}): ProviderIdentity => ({
  issuer: 'https://login.example.com',
  subject: 'subject-1',
  email: 'ann@acme.example',
  emailVerified: true,
  name: 'Ann',
  ...over,
});
const invite = { policy: 'invite', plan: 'free' } as const;
const byRequest = { policy: 'request', plan: 'free' } as const;
const open = { policy: 'open', plan: 'free' } as const;

/** Declares the requirements for accounts, which every database must meet. */
export function accountsContract(name: string, make: () => Promise<AccountsUnderTest>): void {
  describe(`with ${name},`, () => {
    beforeEach(async () => {
      made = await make();
      ({ accounts, registry } = made);
      await registry.seedPlans([free, pro, enterprise], change);
    });
    afterEach(() => made.dispose());

    describe('accounts', accountTests);
    describe('keys of an account', keyTests);
    describe('sign-in links', linkTests);
    describe('identities of a provider', identityTests);
    describe('sessions in the portal', sessionTests);
    describe('plan requests', planRequestTests);
    describe('requests for new accounts', accountRequestTests);
    describe('events about accounts', eventTests);
    describe('the deletion of an account', endTests);
  });
}

function accountTests(): void {
  test('are stored as they were created', async () => {
    const account = await create({ email: 'Ann@Acme.example' });
    const { id } = account;
    expect(id).toMatch(/^acc_[0-9A-Za-z]{20}$/);
    expect(account).toEqual({
      id,
      owner: 'acme',
      name: 'Acme',
      email: 'ann@acme.example',
      status: 'active',
      plan: 'free',
      quotaId: id,
      createdAt: NOW,
      lastSignInAt: null,
      revision: expect.any(Number),
    });
    expect(await made.peer.get(id)).toEqual(account);
    expect(await accounts.get('acc_none')).toBeNull();
    expect(await listActions(id)).toEqual(['account.create']);
  });

  test('must have a unique owner and email address, and a plan with limits', async () => {
    await create({ email: 'ann@acme.example' });
    await expect(create()).rejects.toEqual(refusal('owner_taken'));
    await expect(create({ owner: 'b', email: 'ANN@acme.example' })).rejects.toEqual(refusal('email_taken'));
    await expect(create({ owner: 'b', plan: 'none' })).rejects.toEqual(refusal('plan_not_found'));
    await expect(create({ owner: 'b', plan: 'enterprise' })).rejects.toEqual(refusal('limits_mismatch'));
    const { id } = await create({ owner: 'b' });
    await expect(accounts.update(id, { email: 'ann@acme.example' }, change)).rejects.toEqual(refusal('email_taken'));
    await expect(accounts.update(id, { plan: 'enterprise' }, change)).rejects.toEqual(refusal('limits_mismatch'));
    expect(await listActions(id)).toEqual(['account.create']);
  });

  test('are created only once if many requests create the same owner concurrently', async () => {
    const tries = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? accounts : made.peer).create(
        { owner: 'acme', name: `${index}`, email: null, plan: 'free' },
        change,
      ),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await accounts.list({}, { limit: 100 })).items).toHaveLength(1);
  });

  test('are changed only at the expected revision, and get a new one only if something differs', async () => {
    const before = await create();
    expect(await accounts.update(before.id, { name: 'Acme', plan: 'free' }, change)).toEqual(before);
    const after = await accounts.update(before.id, { name: 'ACME' }, change, { revision: before.revision });
    expect(after).toEqual({ ...before, name: 'ACME', revision: expect.any(Number) });
    expect(after.revision).toBeGreaterThan(before.revision);
    const late = accounts.update(before.id, { name: 'X' }, change, { revision: before.revision });
    await expect(late).rejects.toEqual(refusal('conflict'));
    await expect(accounts.update('acc_none', { name: 'X' }, change)).rejects.toEqual(refusal('account_not_found'));
    const [entry] = (await registry.listAudit({ subject: before.id }, { limit: 1 })).items;
    expect(entry).toMatchObject({
      action: 'account.update',
      before: { name: 'Acme' },
      after: { name: 'ACME' },
      ...change,
    });
  });

  test('can be sorted in both directions, in pages that neither repeat nor skip an account', async () => {
    const given = [
      { owner: 'a', name: 'beta', email: null, plan: 'pro' },
      { owner: 'd', name: 'Alpha', email: 'b@x.example', plan: 'free' },
      { owner: 'c', name: 'beta', email: 'a@x.example', plan: 'free' },
      { owner: 'b', name: 'alpha', email: null, plan: 'pro' },
      { owner: 'e', name: '100%', email: 'c@x.example', plan: 'free' },
    ];
    const ids: string[] = [];
    for (const each of given) ids.push((await create(each)).id);
    const [one, , three, four] = ids;
    await accounts.update(four!, { status: 'disabled' }, change);
    await accounts.sessions.start(signIn({ method: 'link', accountId: three! }, NOW + DAY));
    await accounts.sessions.start(signIn({ method: 'link', accountId: one! }));
    const sorted = async (by: AccountSort, descending = false) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await accounts.list({}, { limit: 2, cursor }, { by, descending });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found.map((id) => ids.indexOf(id) + 1).join('');
    };
    const orders: Record<AccountSort, string> = {
      createdAt: '12345',
      name: '52413',
      owner: '14325',
      email: '14325',
      plan: '23514',
      status: '12354',
      lastSignInAt: '24513',
    };
    for (const [by, order] of Object.entries(orders) as [AccountSort, string][]) {
      expect([by, await sorted(by), await sorted(by, true)]).toEqual([
        by,
        order,
        order.split('').toReversed().join(''),
      ]);
    }
  });

  test('do not change places in a sorted list when another account is created or renamed between two pages', async () => {
    for (const name of ['b', 'd', 'f', 'h']) await create({ owner: name, name });
    const order = { by: 'name', descending: false } as const;
    const first = await accounts.list({}, { limit: 2 }, order);
    await create({ owner: 'a', name: 'a' });
    await create({ owner: 'e', name: 'e' });
    await accounts.update(first.items[0]!.id, { name: 'A' }, change);
    const second = await accounts.list({}, { limit: 9, cursor: first.nextCursor! }, order);
    expect(second.items.map(({ name }) => name)).toEqual(['e', 'f', 'h']);
    const other = accounts.list({}, { limit: 2, cursor: first.nextCursor! }, { by: 'name', descending: true });
    await expect(other).rejects.toEqual(refusal('invalid_cursor'));
    const newest = accounts.list({}, { limit: 2, cursor: first.nextCursor! });
    await expect(newest).rejects.toEqual(refusal('invalid_cursor'));
  });

  test('are listed newest first, in pages, and can be filtered by status and search text', async () => {
    const all: Account[] = [];
    for (let index = 0; index < 5; index++) {
      all.unshift(await create({ owner: `owner-${index}`, name: `100% Name_${index}`, email: `p${index}@x.example` }));
    }
    const ids = async (filter: Parameters<Accounts['list']>[0]) =>
      (await accounts.list(filter, { limit: 100 })).items.map(({ id }) => id);
    const first = await accounts.list({}, { limit: 3 });
    const second = await accounts.list({}, { limit: 3, cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    await expect(accounts.list({}, { limit: 3, cursor: 'junk' })).rejects.toEqual(refusal('invalid_cursor'));
    for (const search of ['OWNER-3', 'name_3', 'P3@X', all[1]!.id.slice(5).toUpperCase()]) {
      expect(await ids({ search })).toEqual([all[1]!.id]);
    }
    // Wildcards in a search have no special meaning.
    expect(await ids({ search: '100%' })).toHaveLength(5);
    expect(await ids({ search: 'owner_' })).toEqual([]);
    expect(await ids({ search: '\\' })).toEqual([]);
    await accounts.update(all[0]!.id, { status: 'disabled' }, change);
    expect(await ids({ status: 'disabled' })).toEqual([all[0]!.id]);
    expect(await ids({ status: 'active', search: 'owner' })).toEqual(all.slice(1).map(({ id }) => id));
  });

  test('prevent their plan from being deleted or made custom', async () => {
    const { id } = await create({ plan: 'pro' });
    await expect(registry.deletePlan('pro', change)).rejects.toEqual(refusal('plan_in_use'));
    const custom = registry.putPlan({ ...pro, limits: null, custom: true }, change);
    await expect(custom).rejects.toEqual(refusal('plan_in_use'));
    await accounts.delete(id, change);
    await registry.deletePlan('pro', change);
  });
}

function keyTests(): void {
  test('have the owner, plan and quota of the account', async () => {
    const account = await create({ plan: 'pro' });
    const given = { name: 'Shop', expiresAt: NOW + DAY, metadata: { team: 'shop' } };
    const { key, secret } = await accounts.createKey(account.id, given, { maxKeys: 1 }, change);
    expect(key).toMatchObject({ ...given, owner: 'acme', plan: 'pro', limits: null, quotaId: account.id });
    expect(await registry.getKey(key.id)).toEqual(key);
    expect(secret).toMatch(/^tg_live_/);
    expect(await listActions(key.id)).toEqual(['key.create']);
  });

  /** Without a lock, each of the fifty concurrent requests would count fewer keys than there will be in the end. */
  test('are limited in number, even if fifty are created concurrently', async () => {
    const { id } = await create();
    const tries = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? accounts : made.peer).createKey(id, { name: `${index}` }, { maxKeys: 5 }, change),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const each of settled) {
      if (each.status === 'rejected') expect(each.reason).toEqual(refusal('too_many_keys'));
    }
    expect((await registry.listKeys({ owner: 'acme' }, { limit: 100 })).items).toHaveLength(5);
  });

  test('count toward the limit of the account unless they are revoked, expired or replaced', async () => {
    const account = await create();
    const make = (at: number, expiresAt: number | null = null) =>
      accounts.createKey(account.id, { name: 'k', expiresAt }, { maxKeys: 2 }, { ...change, at });
    const { key: first } = await make(NOW, NOW + MINUTE);
    const { key: second } = await make(NOW);
    await expect(make(NOW)).rejects.toEqual(refusal('too_many_keys'));
    await registry.rotateKey(second.id, createSuccessor(), { oldExpiresAt: NOW + DAY }, change);
    await expect(make(NOW)).rejects.toEqual(refusal('too_many_keys'));
    const { key: third } = await make(NOW + MINUTE);
    expect(await readStatus(first.id)).toBe('active');
    await registry.updateKey(third.id, { status: 'disabled' }, change);
    await expect(make(NOW + MINUTE)).rejects.toEqual(refusal('too_many_keys'));
    await registry.updateKey(third.id, { status: 'revoked' }, change);
    await make(NOW + MINUTE);
  });

  // Without a limit, an account could create and revoke keys endlessly, and each needs 3 kB.
  test('are limited in number per day over all gateways, and rotations count too', async () => {
    const account = await create();
    const at = (time: number) => ({ ...change, at: time });
    const make = (time: number, by = accounts) =>
      by.createKey(account.id, { name: 'k' }, { maxKeys: 1 }, at(time)).then(({ key }) => key);
    const bounds = { maxKeys: 100, maxReplaced: 100, maxPerDay: getMaxNewKeysPerDay(1) };
    const rotate = ({ id }: Key, time: number) =>
      registry.rotateKey(id, { ...createSuccessor(), createdAt: time }, { oldExpiresAt: time, bounds }, at(time));
    expect(getMaxNewKeysPerDay(1)).toBe(20);
    let key = await make(NOW);
    for (let count = 1; count < 20; count += 2) {
      key = await rotate(key, NOW + count * MINUTE);
      await registry.updateKey(key.id, { status: 'revoked' }, at(NOW + count * MINUTE));
      if (count < 19) key = await make(NOW + (count + 1) * MINUTE, count % 4 === 1 ? accounts : made.peer);
    }
    const createTooManyError = (retryAfterMs: number) =>
      expect.objectContaining({ name: 'RegistryError', code: 'rate_limit_exceeded', retryAfterMs });
    await expect(make(NOW + 60 * MINUTE)).rejects.toEqual(createTooManyError(DAY - 60 * MINUTE));
    key = await make(NOW + DAY);
    await expect(rotate(key, NOW + DAY)).rejects.toEqual(createTooManyError(MINUTE));
    expect((await registry.getKey(key.id))?.rotatedTo).toBeNull();
    await rotate(key, NOW + DAY + MINUTE);
    const other = await create({ owner: 'b' });
    await accounts.createKey(other.id, { name: 'k' }, { maxKeys: 1 }, at(NOW + 60 * MINUTE));
  });

  test('move with the account to its plan, except revoked keys and those that operators created', async () => {
    const account = await create();
    const [plain, disabled, revoked, rotated] = await Promise.all([1, 2, 3, 4].map(() => createKey(account)));
    const operators = await registry.createKey(createNewKey({ owner: 'acme' }), change);
    await registry.updateKey(disabled!.id, { status: 'disabled' }, change);
    await registry.updateKey(revoked!.id, { status: 'revoked' }, change);
    const replacement = await registry.rotateKey(rotated!.id, createSuccessor(), { oldExpiresAt: NOW + DAY }, change);
    const invalidations: unknown[] = [];
    registry.onInvalidation((what) => invalidations.push(what));

    const after = await accounts.update(account.id, { plan: 'pro' }, change);
    expect(after.plan).toBe('pro');
    const moved = [plain!, disabled!, rotated!, replacement];
    for (const { id } of moved) expect((await registry.getKey(id))?.plan).toBe('pro');
    for (const { id } of [revoked!, operators]) expect((await registry.getKey(id))?.plan).toBe('free');
    expect(invalidations).toHaveLength(moved.length);
    expect(invalidations).toEqual(expect.arrayContaining(moved.map(({ hash }) => ({ kind: 'key', hash }))));
    expect(await listActions(plain!.id)).toEqual(['key.update', 'key.create']);
  });

  /** The key must not keep the old plan if it is created or rotated while the account changes plans. */
  test('are on the plan of the account, even if it changes while they are created or rotated', async () => {
    const account = await create();
    const first = await createKey(account);
    const plans = ['pro', 'free', 'pro', 'free', 'pro'];
    await Promise.all([
      ...plans.map((plan) => accounts.update(account.id, { plan }, change)),
      ...Array.from({ length: 5 }, (_, index) =>
        made.peer.createKey(account.id, { name: `${index}` }, { maxKeys: 10 }, change),
      ),
      made.registry.rotateKey(first.id, createSuccessor(), { oldExpiresAt: NOW + DAY }, change),
    ]);
    const { plan } = (await accounts.get(account.id))!;
    const keys = (await registry.listKeys({ owner: 'acme' }, { limit: 100 })).items;
    expect(keys.map((key) => key.plan)).toEqual(Array.from({ length: 7 }, () => plan));
  });

  test('cannot be created for a disabled or unknown account', async () => {
    const { id } = await create();
    await accounts.update(id, { status: 'disabled' }, change);
    const make = (account: string) => accounts.createKey(account, { name: 'k' }, { maxKeys: 5 }, change);
    await expect(make(id)).rejects.toEqual(refusal('conflict'));
    await expect(make('acc_none')).rejects.toEqual(refusal('account_not_found'));
  });
}

function linkTests(): void {
  test('can be used only once, on any gateway', async () => {
    const account = await create();
    const { token, expiresAt } = await accounts.createLink(account.id, 15 * MINUTE, change);
    expect(token).toMatch(/^once_[A-Za-z0-9_-]{43}$/);
    expect(expiresAt).toBe(NOW + 15 * MINUTE);
    // Reading a link does not use it up, so the link still works.
    for (let looks = 0; looks < 3; looks++) expect(await made.peer.readLink(token, NOW)).toEqual(account);
    const spent = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? accounts : made.peer).spendLink(token, NOW)));
    expect(spent.filter((one) => one !== null)).toEqual([account]);
    for (const junk of ['', 'once_', `once_${'a'.repeat(43)}`, token]) {
      expect(await accounts.readLink(junk, NOW)).toBeNull();
      expect(await accounts.spendLink(junk, NOW)).toBeNull();
    }
    expect(await listActions(account.id)).toEqual(['account.link', 'account.create']);
  });

  test('expire on time, and end when their account is disabled', async () => {
    const { id } = await create();
    const link = async () => (await accounts.createLink(id, MINUTE, change)).token;
    const [old, other] = [await link(), await link()];
    expect(await accounts.readLink(old, NOW + MINUTE)).toBeNull();
    expect(await accounts.spendLink(old, NOW + MINUTE)).toBeNull();
    await accounts.update(id, { status: 'disabled' }, change);
    await expect(link()).rejects.toEqual(refusal('conflict'));
    await accounts.update(id, { status: 'active' }, change);
    expect(await accounts.spendLink(other, NOW)).toBeNull();
    await expect(accounts.createLink('acc_none', MINUTE, change)).rejects.toEqual(refusal('account_not_found'));
  });

  test('are limited in number, and a new one replaces the one that expires first', async () => {
    const { id } = await create();
    const invitation = await accounts.createLink(id, 7 * DAY, change);
    const tokens: string[] = [];
    for (let index = 0; index < MAX_LINKS; index++) {
      tokens.push((await accounts.createLink(id, 15 * MINUTE, { ...change, at: NOW + index })).token);
    }
    const left = await Promise.all([invitation.token, ...tokens].map((token) => accounts.readLink(token, NOW)));
    expect(left.map((one) => one !== null)).toEqual([true, false, ...tokens.slice(1).map(() => true)]);
  });

  // A site that signs its users in creates a link at every click, so the limit is high.
  test('are limited to 1000 a day per account', async () => {
    const { id } = await create();
    await addEntries(1000, { actor: 'ops', action: 'account.link', subject: id });
    await expect(accounts.createLink(id, MINUTE, change)).rejects.toEqual(refusal('rate_limit_exceeded'));
    await accounts.createLink((await create({ owner: 'b' })).id, MINUTE, change);
    await accounts.createLink(id, MINUTE, { ...change, at: NOW + DAY });
  });

  test('stay valid if their sign-in is refused because there were too many', async () => {
    const account = await create();
    const { token } = await accounts.createLink(account.id, 2 * DAY, change);
    await addEntries(2000, { actor: account.id, action: 'account.sign_in', subject: account.id });
    await expect(accounts.spendLink(token, NOW)).rejects.toEqual(refusal('rate_limit_exceeded'));
    expect(await accounts.spendLink(token, NOW + DAY)).toMatchObject({ id: account.id });
  });

  test('are stored as hashes, like the secrets of sessions and keys', async () => {
    const account = await create();
    const { token } = await accounts.createLink(account.id, MINUTE, change);
    const { secret } = (await accounts.sessions.start(signIn(byLink(account))))!;
    const { secret: keySecret } = await accounts.createKey(account.id, { name: 'k' }, { maxKeys: 5 }, change);
    let rows = '';
    for (const table of copiedTables) {
      rows += JSON.stringify(await made.database.read((queries) => queries.selectFrom(table).selectAll().execute()));
    }
    expect(rows).toContain(account.id);
    for (const text of [token, token.slice('once_'.length), secret, keySecret]) expect(rows).not.toContain(text);
  });
}

function identityTests(): void {
  const find = (over: Partial<ProviderIdentity> = {}, signUp: SignUp = invite) =>
    accounts.findByIdentity(identity(over), signUp, NOW);

  test('find an account by its verified address first, and later by issuer and subject', async () => {
    const account = await create({ email: 'ann@acme.example' });
    expect(await find({ emailVerified: false })).toBeNull();
    expect(await find({ email: 'ANN@acme.example' })).toEqual(account);
    expect(await find({ email: 'new@acme.example', emailVerified: false })).toEqual(account);
    expect(await find({ subject: 'subject-2', email: 'bob@acme.example' })).toBeNull();
    expect(await listActions(account.id)).toEqual(['account.bind', 'account.create']);
  });

  /** If an email address is reassigned, its new owner must not get the previous owner's account. */
  test('do not get the account of a previous owner of their address', async () => {
    const account = await create({ email: 'ann@acme.example' });
    expect(await find()).toEqual(account);
    expect(await find({ subject: 'subject-2' })).toBeNull();
    const other = (await find({ subject: 'subject-2' }, open))!;
    expect(other.id).not.toBe(account.id);
    expect(other.email).toBeNull();
    // The other provider has verified the address independently, so it finds the account.
    expect(await find({ issuer: 'https://other.example', subject: 'x' })).toEqual(account);
  });

  /** U+212A (Kelvin sign) becomes "k" in lower case, but an address that contains it is another address. */
  test('do not get the account of a similar address with a Kelvin sign', async () => {
    await create({ email: 'kim@acme.example' });
    expect(await find({ email: '\u212aim@acme.example' })).toBeNull();
    expect((await find({ email: '\u212aim@acme.example' }, open))?.email).toBeNull();
  });

  test('get one new account with a new owner, if sign-up is open', async () => {
    const tries = Array.from({ length: 6 }, (_, n) =>
      (n % 2 ? accounts : made.peer).findByIdentity(identity({ name: ' Ann\u0000\n Lee ' }), open, NOW),
    );
    const found = await Promise.all(tries);
    const { id } = found[0]!;
    expect(found.map((account) => account?.id)).toEqual(found.map(() => id));
    expect(found[0]).toMatchObject({ owner: id, name: 'Ann Lee', email: 'ann@acme.example', plan: 'free' });
    expect((await accounts.list({}, { limit: 10 })).items).toHaveLength(1);
    expect(await find()).toEqual(found[0]);
  });

  test.each([invite, byRequest])('get no account if sign-up is by $policy', async (signUp) => {
    expect(await find({}, signUp)).toBeNull();
    expect((await accounts.list({}, { limit: 10 })).items).toEqual([]);
  });

  test('of a disabled account get no new account', async () => {
    const { id } = await create({ email: 'ann@acme.example' });
    await accounts.update(id, { status: 'disabled' }, change);
    expect(await find({}, open)).toBeNull();
    await accounts.update(id, { status: 'active' }, change);
    expect((await find())?.id).toBe(id);
    await accounts.update(id, { status: 'disabled' }, change);
    expect(await find({}, open)).toBeNull();
    expect((await accounts.list({}, { limit: 10 })).items).toHaveLength(1);
  });
}

function sessionTests(): void {
  const cookie = 'tollgate-portal';

  test('are known to all gateways, and end on all of them', async () => {
    const account = await create();
    const { signedIn, secret } = (await accounts.sessions.start(signIn(byLink(account), NOW + 1)))!;
    expect((await accounts.get(account.id))?.lastSignInAt).toBe(NOW + 1);
    const found = await made.peer.sessions.find(cookie, secret, NOW + 1);
    expect(found).toEqual({ ...signedIn, account: { ...account, lastSignInAt: NOW + 1 } });
    expect(await accounts.sessions.find('__Host-tollgate-portal', secret, NOW)).toBeNull();
    expect(await accounts.sessions.listByAccount(account.id, NOW + 1)).toEqual([signedIn.session]);
    expect(await made.peer.sessions.end(signedIn.session.id, change)).toBe(true);
    expect(await accounts.sessions.find(cookie, secret, NOW)).toBeNull();
    expect(await accounts.sessions.end(signedIn.session.id, change)).toBe(false);
    expect(await listActions(account.id)).toEqual(['account.sign_out', 'account.sign_in', 'account.create']);
  });

  test('end after 8 hours without use, and at the latest after 7 days, or 12 hours if a provider signed in', async () => {
    const account = await create();
    const { secret, signedIn } = (await accounts.sessions.start(signIn(byLink(account))))!;
    expect(signedIn.session.expiresAt).toBe(NOW + 7 * DAY);
    expect(await accounts.sessions.find(cookie, secret, NOW + 8 * 60 * MINUTE)).toBeNull();
    expect(await accounts.sessions.find(cookie, secret, NOW + 8 * 60 * MINUTE - 1)).not.toBeNull();
    const seenAt = async () => (await accounts.sessions.listByAccount(account.id, NOW))[0]?.seenAt;
    for (let tries = 0; tries < 100 && (await seenAt()) === NOW; tries++) await pause();
    expect(await accounts.sessions.find(cookie, secret, NOW + 8 * 60 * MINUTE)).not.toBeNull();
    const { secret: second } = (await accounts.sessions.start({
      ...signIn(byLink(account)),
      user: { method: 'oidc', accountId: account.id },
    }))!;
    expect(await accounts.sessions.find(cookie, second, NOW + 12 * 60 * MINUTE)).toBeNull();
  });

  test('that began with a key end with the key', async () => {
    const account = await create();
    const start = async (expiresAt: number | null = null) => {
      const { key } = await accounts.createKey(account.id, { name: 'k', expiresAt }, { maxKeys: 50 }, change);
      const started = await accounts.sessions.start(signIn({ method: 'key', keyId: key.id }));
      return { key, secret: started!.secret };
    };
    const find = (secret: string, now = NOW) => accounts.sessions.find(cookie, secret, now);
    const expiring = await start(NOW + MINUTE);
    expect(await find(expiring.secret)).toMatchObject({ account: null, key: expiring.key });
    expect(await find(expiring.secret, NOW + MINUTE)).toBeNull();
    for (const status of ['disabled', 'revoked'] satisfies KeyStatus[]) {
      const { key, secret } = await start();
      await registry.updateKey(key.id, { status }, change);
      expect(await find(secret)).toBeNull();
      expect(await accounts.sessions.start(signIn({ method: 'key', keyId: key.id }))).toBeNull();
      expect(await listActions(key.id)).toContain('key.sign_in');
    }
    expect(await accounts.sessions.start(signIn({ method: 'key', keyId: 'key_none' }))).toBeNull();
    // The key signed in, not the account.
    expect((await accounts.get(account.id))?.lastSignInAt).toBeNull();
    expect(await accounts.sessions.listByAccount(account.id, NOW)).toEqual([]);
  });

  test('end when their account is disabled, even if they begin at the same time', async () => {
    const account = await create();
    const starts = Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? accounts : made.peer).sessions.start(signIn(byLink(account))),
    );
    const [started] = await Promise.all([
      Promise.all(starts),
      accounts.update(account.id, { status: 'disabled' }, change),
    ]);
    for (const one of started) {
      if (one !== null) expect(await accounts.sessions.find(cookie, one.secret, NOW)).toBeNull();
    }
    expect(await accounts.sessions.start(signIn(byLink(account)))).toBeNull();
    await accounts.update(account.id, { status: 'active' }, change);
    expect(await accounts.sessions.listByAccount(account.id, NOW)).toEqual([]);
  });

  test('are limited in number per account', async () => {
    const [one, other] = [await create(), await create({ owner: 'b' })];
    await accounts.sessions.start(signIn(byLink(other)));
    const starts = Array.from({ length: 2 * MAX_SESSIONS }, (_, n) =>
      (n % 2 ? accounts : made.peer).sessions.start(signIn(byLink(one), NOW + n)),
    );
    await Promise.all(starts);
    expect(await accounts.sessions.listByAccount(one.id, NOW)).toHaveLength(MAX_SESSIONS);
    expect(await accounts.sessions.listByAccount(other.id, NOW)).toHaveLength(1);
  });
}

function accountRequestTests(): void {
  const given = { name: 'Ann', email: 'ann@acme.example', purpose: 'Pets', plan: 'free' };
  const ask = (by = accounts) => by.accountRequests.create(given, { actor: 'visitor', reason: null, at: NOW });
  const insert = (status: string, count: number) =>
    made.database.transaction(async (tx) => {
      const row = { ...given, status, created_at: NOW, decided_at: null, decided_by: null };
      const rows = Array.from({ length: count }, (_, index) => ({ ...row, id: `acr_${status}_${index}` }));
      await tx.insertInto('account_requests').values(rows).execute();
    });
  const listIds = async (status?: AccountRequestStatus) =>
    (await accounts.accountRequests.list(status, { limit: 5000 })).items.map(({ id }) => id);

  test('are stored as they were sent, and only operators get an event', async () => {
    expect(await ask()).toBe(true);
    const { items } = await made.peer.accountRequests.list('open', { limit: 5 });
    const undecided = { status: 'open', reason: null, accountId: null, decidedAt: null, decidedBy: null };
    expect(items).toEqual([{ ...given, ...undecided, id: expect.stringMatching(/^acr_\w{20}$/), createdAt: NOW }]);
    const [event] = await outboxEvents(made.database, { type: 'account_request.created' });
    expect(event).toMatchObject({ owner: null, subject: items[0]?.id, data: given });
  });

  test('are limited to 1000 open ones, even if two gateways store them concurrently', async () => {
    await insert('open', MAX_OPEN_REQUESTS - 2);
    await insert('declined', 10);
    const stored = await Promise.all([ask(), ask(made.peer), ask(), ask(made.peer)]);
    expect(stored.filter(Boolean)).toHaveLength(2);
    expect(await listIds('open')).toHaveLength(MAX_OPEN_REQUESTS);
  });

  test('are deleted 90 days after their decision, and above 1000 decided ones the oldest are deleted', async () => {
    await insert('open', 3);
    await insert('declined', MAX_DECIDED_REQUESTS + 2);
    const decided = await listIds('declined');
    await Promise.all([pruneAccountRequests(made.database, NOW), pruneAccountRequests(made.database, NOW)]);
    expect(await listIds('open')).toHaveLength(3);
    expect(await listIds('declined')).toEqual(decided.slice(0, MAX_DECIDED_REQUESTS));
    await pruneAccountRequests(made.database, NOW + 90 * DAY);
    expect(await listIds('open')).toHaveLength(3);
    await pruneAccountRequests(made.database, NOW + 90 * DAY + 1);
    expect(await listIds()).toEqual([]);
  });

  test('are decided only once, even if several operators decide concurrently', async () => {
    await ask();
    const [{ id } = { id: '' }] = (await accounts.accountRequests.list('open', { limit: 5 })).items;
    const approvals = [accounts, made.peer, accounts].map(({ accountRequests }) =>
      accountRequests.approve(id, { owner: null }, MINUTE, change),
    );
    const settled = await Promise.allSettled([...approvals, made.peer.accountRequests.decline(id, change)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await accounts.accountRequests.list('open', { limit: 5 })).items).toEqual([]);
  });

  test('create an account with a new owner when approved, or nothing if the address is taken', async () => {
    await ask();
    await ask();
    const { items } = await accounts.accountRequests.list('open', { limit: 5 });
    const { account } = await accounts.accountRequests.approve(items[0]!.id, { owner: null }, MINUTE, change);
    expect(account).toMatchObject({ owner: account.id, email: 'ann@acme.example' });
    await expect(accounts.accountRequests.approve(items[1]!.id, { owner: null }, MINUTE, change)).rejects.toEqual(
      refusal('email_taken'),
    );
    expect((await accounts.accountRequests.list('open', { limit: 5 })).items).toHaveLength(1);
  });
}

function planRequestTests(): void {
  const ask = ({ id }: Account, plan = 'pro', at = NOW) =>
    accounts.planRequests.create(id, { plan, message: 'We grow' }, { actor: id, reason: null, at });

  test('are open at most once per account, even if requested concurrently', async () => {
    const account = await create();
    const settled = await Promise.allSettled(Array.from({ length: 6 }, () => ask(account)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(ask(account)).rejects.toEqual(refusal('plan_request_open'));
    const { items } = await accounts.planRequests.list({}, { limit: 10 });
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^plr_[0-9A-Za-z]{20}$/),
        accountId: account.id,
        plan: 'pro',
        message: 'We grow',
        status: 'open',
        reason: null,
        createdAt: NOW,
        decidedAt: null,
        decidedBy: null,
      },
    ]);
    expect(await listActions(items[0]!.id)).toEqual(['plan_request.create']);
  });

  test('are accepted only for a plan with limits that the account does not have', async () => {
    const account = await create();
    await expect(ask(account, 'none')).rejects.toEqual(refusal('plan_not_found'));
    await expect(ask(account, 'enterprise')).rejects.toEqual(refusal('limits_mismatch'));
    await expect(ask(account, 'free')).rejects.toEqual(refusal('conflict'));
    await accounts.update(account.id, { status: 'disabled' }, change);
    await expect(ask(account)).rejects.toEqual(refusal('conflict'));
  });

  test('move the account and its keys to the requested plan when they are approved', async () => {
    const account = await create();
    const key = await createKey(account);
    const { id } = await ask(account);
    const later = { ...change, at: NOW + 1 };
    const approved = await accounts.planRequests.approve(id, later);
    const decision = { status: 'approved', reason: 'agreed', decidedAt: NOW + 1, decidedBy: 'ops' };
    expect(approved).toMatchObject({ id, ...decision });
    expect(await made.peer.planRequests.get(id)).toEqual(approved);
    expect((await accounts.get(account.id))?.plan).toBe('pro');
    expect((await registry.getKey(key.id))?.plan).toBe('pro');
    expect(await listActions(id)).toEqual(['plan_request.approve', 'plan_request.create']);
    await expect(accounts.planRequests.decline(id, later)).rejects.toEqual(refusal('conflict'));
    await expect(accounts.planRequests.approve('plr_none', later)).rejects.toEqual(refusal('plan_request_not_found'));
    await ask((await accounts.get(account.id))!, 'free');
  });

  test('change nothing when they are declined, and are decided only once', async () => {
    const account = await create();
    const { id } = await ask(account);
    const { approve, decline } = { approve: accounts.planRequests, decline: made.peer.planRequests };
    const settled = await Promise.allSettled([approve.approve(id, change), decline.decline(id, change)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { status } = (await accounts.planRequests.get(id))!;
    expect((await accounts.get(account.id))?.plan).toBe(status === 'approved' ? 'pro' : 'free');
    const second = await create({ owner: 'b' });
    expect(await accounts.planRequests.decline((await ask(second)).id, change)).toMatchObject({ status: 'declined' });
    expect(await accounts.get(second.id)).toEqual(second);
  });

  test('stay open if they cannot be approved', async () => {
    const account = await create();
    const { id } = await ask(account);
    await registry.deletePlan('pro', change);
    await expect(accounts.planRequests.approve(id, change)).rejects.toEqual(refusal('plan_not_found'));
    expect((await accounts.planRequests.get(id))?.status).toBe('open');
  });

  test('can be withdrawn by their account while they are open', async () => {
    const [one, other] = [await create(), await create({ owner: 'b' })];
    const { id } = await ask(one);
    const withdraw = ({ id: account }: Account) => accounts.planRequests.withdraw(account, id, change);
    await expect(withdraw(other)).rejects.toEqual(refusal('plan_request_not_found'));
    await withdraw(one);
    expect(await accounts.planRequests.get(id)).toBeNull();
    const { id: decided } = await ask(one);
    await accounts.planRequests.decline(decided, change);
    await expect(accounts.planRequests.withdraw(one.id, decided, change)).rejects.toEqual(refusal('conflict'));
  });

  test('are listed newest first, in pages, and can be filtered by status and account', async () => {
    const all = [];
    for (const owner of ['a', 'b', 'c']) all.unshift(await ask(await create({ owner })));
    const { planRequests } = accounts;
    const first = await planRequests.list({}, { limit: 2 });
    const second = await planRequests.list({}, { limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(all);
    const declined = await planRequests.decline(all[1]!.id, change);
    expect((await planRequests.list({ status: 'declined' }, { limit: 9 })).items).toEqual([declined]);
    expect((await planRequests.list({ accountId: all[2]!.accountId }, { limit: 9 })).items).toEqual([all[2]]);
    expect((await planRequests.list({ status: 'open' }, { limit: 9 })).items).toHaveLength(2);
  });
}

function eventTests(): void {
  const listEventData = async (type: string) => (await outboxEvents(made.database, { type })).map(({ data }) => data);
  const ask = ({ id }: Account, plan: string) =>
    accounts.planRequests.create(id, { plan, message: 'We grow' }, { actor: id, reason: null, at: NOW });

  test('report a plan request and its decision to the owner', async () => {
    const account = await create();
    const first = await ask(account, 'pro');
    await accounts.planRequests.approve(first.id, { ...change, at: NOW + 1 });
    const second = await ask(account, 'free');
    await accounts.planRequests.decline(second.id, change);
    await expect(accounts.planRequests.decline(second.id, change)).rejects.toEqual(refusal('conflict'));
    const third = await ask(account, 'free');
    await accounts.planRequests.withdraw(account.id, third.id, change);

    const of = (id: string, plan: string, reason: string | null) => {
      return { id, accountId: account.id, plan, message: 'We grow', reason };
    };
    expect(await listEventData('plan_request.created')).toEqual([
      of(first.id, 'pro', null),
      of(second.id, 'free', null),
      of(third.id, 'free', null),
    ]);
    const [approved, ...more] = await outboxEvents(made.database, { type: 'plan_request.approved' });
    expect(approved).toMatchObject({
      subject: first.id,
      owner: 'acme',
      at: NOW + 1,
      data: of(first.id, 'pro', 'agreed'),
    });
    expect(more).toEqual([]);
    expect(await listEventData('plan_request.declined')).toEqual([of(second.id, 'free', 'agreed')]);
  });

  test('report each key that changes with the plan of the account or ends with the account', async () => {
    const account = await create();
    const [one, other] = [await createKey(account), await createKey(account)];
    const operators = await registry.createKey(createNewKey({ owner: 'acme' }), change);
    await accounts.update(account.id, { plan: 'pro' }, change);
    expect(await listEventData('plan.changed')).toEqual(
      expect.arrayContaining([one, other].map(({ id }) => expect.objectContaining({ keyId: id }))),
    );
    await accounts.delete(account.id, change);
    const revoked = await outboxEvents(made.database, { type: 'key.revoked' });
    expect(revoked).toHaveLength(2);
    expect(new Set(revoked.map(({ subject }) => subject))).toEqual(new Set([one.id, other.id]));
    const about = (await outboxEvents(made.database)).map(({ subject }) => subject);
    expect(about.filter((subject) => subject === operators.id)).toHaveLength(1);
  });

  test('are not published if only the account changes', async () => {
    const { id } = await create();
    await accounts.update(id, { name: 'Other', status: 'disabled' }, change);
    await accounts.delete(id, change);
    expect(await outboxEvents(made.database)).toEqual([]);
  });
}

function endTests(): void {
  /**
   * Creates an account with keys, a link, a session, a plan request and an identity. An operator has created one more
   * key for its owner.
   */
  async function createFullAccount() {
    const account = await create({ email: 'ann@acme.example' });
    const [plain, rotated] = [await createKey(account), await createKey(account)];
    const replacement = await registry.rotateKey(rotated.id, createSuccessor(), { oldExpiresAt: NOW + DAY }, change);
    const operators = await registry.createKey(createNewKey({ owner: 'acme' }), change);
    await accounts.findByIdentity(identity(), invite, NOW);
    const { token } = await accounts.createLink(account.id, MINUTE, change);
    const { secret } = (await accounts.sessions.start(signIn(byLink(account))))!;
    const { id: requestId } = await accounts.planRequests.create(account.id, { plan: 'pro', message: '' }, change);
    return { account, keys: [plain, rotated, replacement], operators, token, secret, requestId };
  }
  type FullAccount = Awaited<ReturnType<typeof createFullAccount>>;

  async function remaining({ account, keys, token, secret, requestId }: FullAccount) {
    return {
      account: (await accounts.get(account.id)) !== null,
      keys: (await Promise.all(keys.map(({ id }) => readStatus(id)))).some((status) => status !== 'revoked'),
      link: (await accounts.readLink(token, NOW)) !== null,
      session: (await accounts.sessions.find('tollgate-portal', secret, NOW)) !== null,
      request: (await accounts.planRequests.get(requestId)) !== null,
      identity: (await accounts.findByIdentity(identity(), invite, NOW)) !== null,
    };
  }
  const nothing = { account: false, keys: false, link: false, session: false, request: false, identity: false };
  const everything = { account: true, keys: true, link: true, session: true, request: true, identity: true };

  test('removes its keys, sessions, links and requests, but not keys that operators created for its owner', async () => {
    const all = await createFullAccount();
    expect(await remaining(all)).toEqual(everything);
    const revision = all.account.revision - 1;
    await expect(accounts.delete(all.account.id, change, { revision })).rejects.toEqual(refusal('conflict'));
    expect(await remaining(all)).toEqual(everything);
    await accounts.delete(all.account.id, change);
    expect(await remaining(all)).toEqual(nothing);
    expect(await readStatus(all.operators.id)).toBe('active');
    expect((await listActions(all.account.id))[0]).toBe('account.delete');
    expect(await listActions(all.keys[0]!.id)).toEqual(['key.revoke', 'key.create']);
    await expect(accounts.delete(all.account.id, change)).rejects.toEqual(refusal('account_not_found'));
    // The owner and the email address can be used again.
    await create({ email: 'ann@acme.example' });
  });

  /** The last statement of the deletion fails, which must roll back the previous statements. */
  test('happens in one transaction, and changes nothing if it fails', async () => {
    const all = await createFullAccount();
    await made.database.transaction(async (tx) => {
      await sql`CREATE TABLE pins (id TEXT REFERENCES accounts (id))`.execute(tx);
      await sql`INSERT INTO pins VALUES (${all.account.id})`.execute(tx);
    });
    await expect(accounts.delete(all.account.id, change)).rejects.toThrow(/foreign key/i);
    expect(await remaining(all)).toEqual(everything);
    expect(await outboxEvents(made.database, { type: 'key.revoked' })).toEqual([]);
    await made.database.transaction((tx) => sql`DELETE FROM pins`.execute(tx));
    await accounts.delete(all.account.id, change);
    expect(await remaining(all)).toEqual(nothing);
  });

  test('leaves no key, session or link that was created at the same time', async () => {
    const account = await create();
    const late = Array.from({ length: 5 }, () => [
      made.peer.createKey(account.id, { name: 'k' }, { maxKeys: 50 }, change),
      made.peer.sessions.start(signIn(byLink(account))),
      made.peer.createLink(account.id, MINUTE, change),
    ]).flat();
    await Promise.allSettled([...late, accounts.delete(account.id, change)]);
    const keys = (await registry.listKeys({ owner: 'acme' }, { limit: 100 })).items;
    expect(keys.filter(({ status }) => status !== 'revoked')).toEqual([]);
    for (const table of ['portal_sessions', 'account_links', 'accounts'] as const) {
      expect(await made.database.read((queries) => queries.selectFrom(table).selectAll().execute())).toEqual([]);
    }
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}
