import { type SelectQueryBuilder, sql } from 'kysely';
import { RegistryError } from '../../domain/registry-error.ts';
import { DAY_MS } from '../../base/time.ts';
import { isExactly } from '../../storage/index-order.ts';
import type { Queries, Tables } from '../../storage/tables.ts';
import type { AuditAction } from './audit-log.ts';

/**
 * What consumers may do within 24 hours. Everything they do leaves rows, and the audit log is never deleted. The rows
 * themselves are counted, so the limits hold for all gateways together and survive a restart.
 */

/** For each key that an account may have at a time (`portal.maxKeys`). */
const NEW_KEYS_PER_KEY = 20;
/** Entries in the audit log: changes, and sign-ins and sign-outs. */
const MAX_ENTRIES = 1000;
/**
 * Signing in is possible longer than changes, because anyone signed in can always revoke keys. Revoking cannot use up
 * the difference: an account has fewer keys and sessions.
 */
const MAX_ENTRIES_TO_SIGN_IN = 2 * MAX_ENTRIES;
const MAX_LINKS = 1000;

/** Keys that an account may create within 24 hours, including those that replace another. */
export function newKeysPerDay(maxKeys: number): number {
  return NEW_KEYS_PER_KEY * maxKeys;
}

/** @throws RegistryError `rate_limit_exceeded` if this many keys were created for a quota within 24 hours */
export function checkNewKeys(queries: Queries, quotaId: string, limit: number, now: number): Promise<void> {
  const keys = queries.selectFrom('keys').select('created_at as at').where(isExactly('quota_id', quotaId));
  const what = `${limit} keys were created, including those that replaced another`;
  return checkNewest(keys.orderBy('quota_id', 'desc'), limit, now, what);
}

/**
 * @param actor the id of an account or key
 * @throws RegistryError `rate_limit_exceeded` if it has changed too much within 24 hours
 */
export function checkChanges(queries: Queries, actor: string, now: number): Promise<void> {
  return checkEntries(queries, actor, MAX_ENTRIES, now);
}

/** As `checkChanges`, before a sign-in. */
export function checkSignIns(queries: Queries, actor: string, now: number): Promise<void> {
  return checkEntries(queries, actor, MAX_ENTRIES_TO_SIGN_IN, now);
}

/**
 * A site that signs its users in may create a link at every click.
 *
 * @throws RegistryError `rate_limit_exceeded` if too many links were created for an account within 24 hours
 */
export function checkLinks(queries: Queries, accountId: string, now: number): Promise<void> {
  const action: AuditAction = 'account.link';
  const entries = queries.selectFrom('audit').select('at').where(isExactly('subject', accountId));
  // As an expression, the column does not suggest its index to SQLite: an account has few entries, an action very many.
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
 * Reads a single row: the oldest of those that use up the limit. Its age tells whether they do.
 *
 * @param rows in the order of the column that they have in common
 */
async function checkNewest(
  rows: SelectQueryBuilder<Tables, 'keys' | 'audit', { readonly at: number }>,
  limit: number,
  now: number,
  what: string,
): Promise<void> {
  const newest = rows.orderBy('sequence', 'desc').offset(limit - 1);
  const oldest = await newest.limit(1).executeTakeFirst();
  const waitMs = oldest === undefined ? 0 : oldest.at + DAY_MS - now;
  if (waitMs <= 0) return;
  const message = `${what} within 24 hours: wait for the time given in Retry-After`;
  // The clock may have been set back since.
  throw new RegistryError('rate_limit_exceeded', message, Math.min(DAY_MS, waitMs));
}
