import { type SelectQueryBuilder, sql } from 'kysely';
import { RegistryError } from '../../domain/registry-error.ts';
import { DAY_MS } from '../../base/time.ts';
import { isExactly } from '../../storage/index-order.ts';
import type { Queries, Tables } from '../../storage/tables.ts';
import type { AuditAction } from './audit-log.ts';

/**
 * Limits on what consumers may do within 24 hours. Everything that consumers do adds rows, and the audit log is never
 * deleted, so the number of new rows must be limited. The rows themselves are counted, so the limits apply to all
 * gateways together and survive a restart.
 */

/** New keys within 24 hours, for each key that an account may have at a time (`portal.maxKeys`). */
const NEW_KEYS_PER_KEY = 20;
/** Audit entries of one actor within 24 hours: changes, sign-ins and sign-outs. */
const MAX_ENTRIES = 1000;
/**
 * An account must always be able to revoke its keys, so it can sign in even after it has reached the limit for changes.
 * Revocations and sign-outs cannot use up the difference, because an account has fewer keys and sessions than that.
 */
const MAX_ENTRIES_TO_SIGN_IN = 2 * MAX_ENTRIES;
const MAX_LINKS = 1000;

/** Keys that an account may create within 24 hours, including those that replace another. */
export function getMaxNewKeysPerDay(maxKeys: number): number {
  return NEW_KEYS_PER_KEY * maxKeys;
}

/** @throws RegistryError `rate_limit_exceeded` if `limit` keys were created for a quota within 24 hours */
export function checkNewKeys(queries: Queries, quotaId: string, limit: number, now: number): Promise<void> {
  const created = queries.selectFrom('keys').select('created_at as at').where(isExactly('quota_id', quotaId));
  const keys = created.where('token_issuer', 'is', null);
  const reachedLimit = `${limit} keys were created, including those that replaced another`;
  return checkNewest(keys.orderBy('quota_id', 'desc'), limit, now, reachedLimit);
}

/**
 * @param actor the id of an account or key
 * @throws RegistryError `rate_limit_exceeded` if the actor has made too many changes within 24 hours
 */
export function checkChanges(queries: Queries, actor: string, now: number): Promise<void> {
  return checkEntries(queries, actor, MAX_ENTRIES, now);
}

/** Like `checkChanges`, but with the higher limit for sign-ins. */
export function checkSignIns(queries: Queries, actor: string, now: number): Promise<void> {
  return checkEntries(queries, actor, MAX_ENTRIES_TO_SIGN_IN, now);
}

/**
 * Limits the sign-in links of an account, because a site that signs its users in may create a link at every click.
 *
 * @throws RegistryError `rate_limit_exceeded` if too many links were created for an account within 24 hours
 */
export function checkLinks(queries: Queries, accountId: string, now: number): Promise<void> {
  const action: AuditAction = 'account.link';
  const entries = queries.selectFrom('audit').select('at').where(isExactly('subject', accountId));
  // An account has few entries, but an action has very many. The expression keeps SQLite from using the index on
  // `action`.
  const links = entries.where(sql`coalesce(action, '')`, '=', action).orderBy('subject', 'desc');
  return checkNewest(links, MAX_LINKS, now, `${MAX_LINKS} sign-in links were created for account ${accountId}`);
}

function checkEntries(queries: Queries, actor: string, limit: number, now: number): Promise<void> {
  const entries = queries.selectFrom('audit').select('at').where(isExactly('actor', actor));
  return checkNewest(
    entries.orderBy('actor', 'desc'),
    limit,
    now,
    `${actor} made ${limit} changes, including sign-ins`,
  );
}

/**
 * Reads a single row: the `limit`-th newest. If that row is less than 24 hours old, the limit has been reached.
 *
 * @param rows ordered by the filtered column, although it has the same value in all rows, so that its index is used
 */
async function checkNewest(
  rows: SelectQueryBuilder<Tables, 'keys' | 'audit', { readonly at: number }>,
  limit: number,
  now: number,
  reachedLimit: string,
): Promise<void> {
  const limitQuery = rows.orderBy('sequence', 'desc').offset(limit - 1);
  const limitRow = await limitQuery.limit(1).executeTakeFirst();
  const waitMs = limitRow === undefined ? 0 : limitRow.at + DAY_MS - now;
  if (waitMs <= 0) return;
  const message = `${reachedLimit} within 24 hours: wait for the time given in Retry-After`;
  // The clock may have been set back since the row was written.
  throw new RegistryError('rate_limit_exceeded', message, Math.min(DAY_MS, waitMs));
}
