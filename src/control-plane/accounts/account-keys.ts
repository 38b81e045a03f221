import { type SqlBool, sql } from 'kysely';
import { RegistryError } from '../../domain/registry-error.ts';
import type { Queries } from '../../storage/tables.ts';
import { checkNewKeys, getMaxNewKeysPerDay } from '../registry/daily-limits.ts';
import { createKeys, updateKey } from '../registry/key-changes.ts';
import { type Key, type KeyPatch, type EditableKey, generateKey, UNRESTRICTED } from '../registry/key.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { type Account, checkActive } from './account.ts';
import { lockAccount } from './account-rows.ts';

/** The fields of a key that a consumer sets. Owner, plan and quota are those of the account. */
export type NewAccountKey = Pick<EditableKey, 'name'> & Partial<Pick<EditableKey, 'expiresAt' | 'metadata'>>;

/**
 * The condition has no parameters, so that SQLite can use the index of keys that are not revoked, and does not read
 * revoked keys.
 */
const NOT_REVOKED = sql<SqlBool>`status <> 'revoked'`;

export interface CreatedKey {
  readonly key: Key;
  /** The secret is not stored. */
  readonly secret: string;
}

export async function createAccountKey(
  context: WriteContext,
  id: string,
  { name, expiresAt = null, metadata = {} }: NewAccountKey,
  maxKeys: number,
): Promise<CreatedKey> {
  const account = await lockAccount(context, id);
  checkActive(account);
  const { tx, change } = context;
  if ((await countUsableKeys(tx, account, change.at)) >= maxKeys) {
    throw new RegistryError('too_many_keys', `account ${id} already has ${maxKeys} keys: revoke one first`);
  }
  await checkNewKeys(tx, account.quotaId, getMaxNewKeysPerDay(maxKeys), change.at);
  const { owner, plan, quotaId } = account;
  const { key, secret } = generateKey({ owner, plan, ...UNRESTRICTED, name, expiresAt, metadata }, change.at);
  const [stored] = await createKeys(context, [{ ...key, quotaId }]);
  return { key: stored!, secret };
}

/** Gives the account's plan to all keys created for it. */
export function moveKeys(context: WriteContext, account: Account): Promise<void> {
  return changeKeys(context, account, { plan: account.plan });
}

export function revokeKeys(context: WriteContext, account: Account): Promise<void> {
  return changeKeys(context, account, { status: 'revoked' });
}

/** Changes the account's keys that are not revoked, one rotation chain at a time. */
async function changeKeys(context: WriteContext, { quotaId }: Account, patch: KeyPatch): Promise<void> {
  const keys = context.tx.selectFrom('keys').select((eb) => ['chain', eb.fn.max('id').as('id')]);
  const chains = await keys.where('quota_id', '=', quotaId).where(NOT_REVOKED).groupBy('chain').execute();
  for (const { id } of chains) await updateKey(context, id, patch, { wholeChain: true });
}

/**
 * Counts the usable keys of an account. Callers with access tokens do not count, nor do rotated keys, because they only work until their grace period
 * ends.
 */
async function countUsableKeys(queries: Queries, { quotaId }: Pick<Account, 'quotaId'>, now: number): Promise<number> {
  const keys = queries.selectFrom('keys').select((eb) => eb.fn.countAll<number>().as('count'));
  const usable = keys
    .where('quota_id', '=', quotaId)
    .where(NOT_REVOKED)
    .where(sql`coalesce(expires_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`, '>', now)
    .where('rotated_to', 'is', null)
    .where('token_issuer', 'is', null);
  return (await usable.executeTakeFirstOrThrow()).count;
}
