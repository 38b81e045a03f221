import { type Selectable, sql } from 'kysely';
import type { Page, PageRequest } from '../../storage/paging.ts';
import { readSortedPage, type SortValue } from '../../storage/sorted-page.ts';
import { createSearchCondition } from '../../storage/search-condition.ts';
import type { AccountTable, Queries, Tx } from '../../storage/tables.ts';
import {
  type Account,
  type AccountFilter,
  accountNotFound,
  type AccountOrder,
  type AccountSort,
  type AccountStatus,
  type NamedAccount,
} from './account.ts';
import type { WriteContext } from '../registry/write-context.ts';

// This file reads, writes and locks rows of the `accounts` table. It contains no business rules.

export async function findAccountBy(
  queries: Queries,
  column: 'id' | 'owner' | 'email',
  value: string,
): Promise<Account | null> {
  const row = await queries.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

/** The accounts with these ids, by id. Ids without an account are left out. */
export async function findAccountsById(queries: Queries, ids: readonly string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.selectFrom('accounts').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, toAccount(row)]));
}

/** The accounts of these owners, by owner. Owners without an account are left out. */
export async function findAccountsByOwner(
  queries: Queries,
  owners: readonly string[],
): Promise<ReadonlyMap<string, NamedAccount>> {
  if (owners.length === 0) return new Map();
  const rows = await queries
    .selectFrom('accounts')
    .select(['owner', 'id', 'name', 'email'])
    .where('owner', 'in', owners)
    .execute();
  return new Map(rows.map(({ owner, ...account }) => [owner, account]));
}

const SORT_VALUES: Readonly<Record<AccountSort, SortValue | null>> = {
  createdAt: null,
  name: { value: sql`lower(name)` },
  owner: { value: sql`owner` },
  // Accounts without an email address come first.
  email: { value: sql`coalesce(email, '')` },
  plan: { value: sql`plan` },
  status: { value: sql`status` },
  // An account that never signed in is sorted as if it had signed in before all others.
  lastSignInAt: { value: sql`coalesce(last_sign_in_at, 0)`, isNumber: true },
};

const SEARCHED_COLUMNS = ['id', 'owner', 'name', 'email'];

export function listAccounts(
  queries: Queries,
  { owner, status, plan, search }: AccountFilter,
  page: PageRequest,
  order: AccountOrder,
): Promise<Page<Account>> {
  let query = queries.selectFrom('accounts').selectAll();
  if (owner !== undefined) query = query.where('owner', '=', owner);
  if (status !== undefined) query = query.where('status', '=', status);
  if (plan !== undefined) query = query.where('plan', '=', plan);
  if (search !== undefined) query = query.where(createSearchCondition(SEARCHED_COLUMNS, search));
  return readSortedPage(query, { list: 'accounts', order, values: SORT_VALUES }, page, toAccount);
}

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  await tx.insertInto('accounts').values(toColumns(account)).execute();
}

/** Writes the columns of an account that may change, except its last sign-in (see `recordSignIn`). */
export async function writeAccount(tx: Tx, account: Account): Promise<void> {
  const { name, email, status, plan, revision } = account;
  await tx.updateTable('accounts').set({ name, email, status, plan, revision }).where('id', '=', account.id).execute();
}

export async function recordSignIn(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('accounts').set({ last_sign_in_at: at }).where('id', '=', id).execute();
}

/** Deletes the account and everything that belongs only to it. Its keys are not deleted. */
export async function deleteAccountRows(tx: Tx, id: string): Promise<void> {
  await deleteAccess(tx, id);
  await tx.deleteFrom('account_identities').where('account_id', '=', id).execute();
  await tx.deleteFrom('plan_requests').where('account_id', '=', id).execute();
  // Nothing more is sent to these webhooks. Their deliveries are deleted later, because there may be very many.
  await tx.deleteFrom('webhooks').where('account_id', '=', id).execute();
  await tx.deleteFrom('accounts').where('id', '=', id).execute();
}

/** Deletes the account's sessions, and the links that could start new ones. */
export async function deleteAccess(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('portal_sessions').where('account_id', '=', id).execute();
  await tx.deleteFrom('account_links').where('account_id', '=', id).execute();
}

function toAccount(row: Selectable<AccountTable>): Account {
  const { id, owner, name, email, plan, revision } = row;
  return {
    id,
    owner,
    name,
    email,
    status: row.status as AccountStatus,
    plan,
    quotaId: row.quota_id,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
    revision,
  };
}

function toColumns({ id, owner, name, email, status, plan, quotaId, createdAt, lastSignInAt, revision }: Account) {
  const sameColumns = { id, owner, name, email, status, plan, revision };
  return { ...sameColumns, quota_id: quotaId, created_at: createdAt, last_sign_in_at: lastSignInAt };
}

/**
 * The lock that is held while an account gets an owner or an email address, so that no two accounts get the same one. It
 * is taken before the lock of the account.
 */
export const ACCOUNTS_LOCK = 'accounts';

/** The name of the lock of an account and everything that belongs to it. */
export function formatAccountLock(id: string): string {
  return `account:${id}`;
}

/**
 * Locks the account and everything that belongs to it until this transaction ends.
 *
 * @throws RegistryError `account_not_found`
 */
export async function lockAccount({ tx, dialect }: WriteContext, id: string): Promise<Account> {
  await dialect.lock(tx, formatAccountLock(id));
  const account = await findAccountBy(tx, 'id', id);
  if (account === null) throw accountNotFound(id);
  return account;
}
