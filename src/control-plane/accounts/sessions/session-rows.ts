import type { PortalSessionRow, Queries, Tx } from '../../../storage/tables.ts';
import type { AccountSession, SessionOf } from './account-session.ts';
import { IDLE_MS } from './session-lifetime.ts';

/** The `portal_sessions` table: rows in and out, no rules. */

export async function insertSession(tx: Tx, session: AccountSession, hash: string): Promise<void> {
  const { id, of, address, userAgent, createdAt, seenAt, expiresAt } = session;
  await tx
    .insertInto('portal_sessions')
    .values({
      id,
      hash,
      account_id: of.method === 'key' ? null : of.accountId,
      key_id: of.method === 'key' ? of.keyId : null,
      method: of.method,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      seen_at: seenAt,
      expires_at: expiresAt,
    })
    .execute();
}

export async function sessionByHash(queries: Queries, hash: string, now: number): Promise<AccountSession | null> {
  const row = await live(queries, now).where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

/** Newest first. Their number is bounded, see `MAX_SESSIONS`. */
export async function sessionsOfAccount(queries: Queries, id: string, now: number): Promise<AccountSession[]> {
  const sessions = live(queries, now).where('account_id', '=', id);
  const rows = await sessions.orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(sessionOf);
}

export async function touchSession(tx: Tx, id: string, now: number): Promise<void> {
  const session = tx.updateTable('portal_sessions').set({ seen_at: now }).where('id', '=', id);
  await session.where('seen_at', '<', now).execute();
}

/** @returns it as it was; null if there is none with this id */
export async function deleteSession(tx: Tx, id: string): Promise<AccountSession | null> {
  const row = await tx.deleteFrom('portal_sessions').where('id', '=', id).returningAll().executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

export async function deleteExpired(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('portal_sessions').where('expires_at', '<=', now).execute();
}

/** Keeps the sessions of this account or key that were used last. */
export async function deleteAllBut(tx: Tx, of: SessionOf, count: number): Promise<void> {
  const [column, id] = of.method === 'key' ? (['key_id', of.keyId] as const) : (['account_id', of.accountId] as const);
  const kept = tx.selectFrom('portal_sessions').select('id').where(column, '=', id);
  await tx
    .deleteFrom('portal_sessions')
    .where(column, '=', id)
    .where('id', 'not in', kept.orderBy('seen_at', 'desc').orderBy('id').limit(count))
    .execute();
}

function live(queries: Queries, now: number) {
  const sessions = queries.selectFrom('portal_sessions').selectAll();
  return sessions.where('expires_at', '>', now).where('seen_at', '>', now - IDLE_MS);
}

function sessionOf(row: PortalSessionRow): AccountSession {
  const { id, address, user_agent: userAgent, created_at: createdAt, seen_at: seenAt, expires_at: expiresAt } = row;
  return { id, of: sessionOwner(row), address, userAgent, createdAt, seenAt, expiresAt };
}

function sessionOwner({ method, account_id: accountId, key_id: keyId }: PortalSessionRow): SessionOf {
  if (method === 'key') return { method, keyId: keyId ?? '' };
  return { method: method === 'oidc' ? 'oidc' : 'link', accountId: accountId ?? '' };
}
