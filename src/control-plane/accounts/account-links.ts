import { hashForUse, createLinkToken } from '../../base/secrets.ts';
import type { Queries, Tx } from '../../storage/tables.ts';
import { appendAuditEntry } from '../registry/audit-log.ts';
import { checkLinks, checkSignIns } from '../registry/daily-limits.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { type Account, checkActive } from './account.ts';
import { findAccountBy, lockAccount } from './account-rows.ts';

// This file creates, reads and spends links that can be used to sign in once. Only hashes of their tokens are stored.

/**
 * Maximum number of links per account. An invitation that was sent by mail must outlive a few links that the team's own
 * site creates.
 */
export const MAX_LINKS = 10;

export interface CreatedLink {
  /** `once_` and 43 characters. The token is not stored. */
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * @param lifetimeMs the requested lifetime: `seconds` of `createAccountLink` in
 * `src/control-plane/admin/openapi/accounts.yaml`
 */
export async function createLink(context: WriteContext, id: string, lifetimeMs: number): Promise<CreatedLink> {
  const { tx, change } = context;
  checkActive(await lockAccount(context, id));
  await checkLinks(tx, id, change.at);
  await tx.deleteFrom('account_links').where('expires_at', '<=', change.at).execute();
  await deleteExcessLinks(tx, id, MAX_LINKS - 1);
  const token = createLinkToken();
  const expiresAt = change.at + lifetimeMs;
  await tx
    .insertInto('account_links')
    .values({ hash: hashToken(token), account_id: id, expires_at: expiresAt })
    .execute();
  await appendAuditEntry(context, id, 'account.link', { after: { expiresAt } });
  return { token, expiresAt };
}

/** @returns the active account that the link is for; null if the link is spent, expired or invalid */
export async function readLink(queries: Queries, token: string, now: number): Promise<Account | null> {
  const links = queries.selectFrom('account_links').select('account_id').where('hash', '=', hashToken(token));
  const link = await links.where('expires_at', '>', now).executeTakeFirst();
  return link === undefined ? null : findActiveAccount(queries, link.account_id);
}

/** Like `readLink`, but also deletes the link. @throws RegistryError like `checkSignIns` */
export async function spendLink(tx: Tx, token: string, now: number): Promise<Account | null> {
  const links = tx.deleteFrom('account_links').where('hash', '=', hashToken(token));
  const link = await links.returningAll().executeTakeFirst();
  if (link === undefined || link.expires_at <= now) return null;
  await checkSignIns(tx, link.account_id, now);
  return findActiveAccount(tx, link.account_id);
}

async function findActiveAccount(queries: Queries, id: string): Promise<Account | null> {
  const account = await findAccountBy(queries, 'id', id);
  return account?.status === 'active' ? account : null;
}

/** Keeps the `count` links that expire last, and deletes the others. */
async function deleteExcessLinks(tx: Tx, id: string, count: number): Promise<void> {
  const keptHashes = tx.selectFrom('account_links').select('hash').where('account_id', '=', id);
  await tx
    .deleteFrom('account_links')
    .where('account_id', '=', id)
    .where('hash', 'not in', keptHashes.orderBy('expires_at', 'desc').orderBy('hash').limit(count))
    .execute();
}

function hashToken(token: string): string {
  return hashForUse('account-link', token);
}
