import type { Queries, Tx, SessionRow } from '../../../storage/tables.ts';
import { IDLE_MS } from './session-lifetime.ts';
import type { Identity, Session } from './session.ts';

export async function insertSession(tx: Tx, session: Session, hash: string): Promise<void> {
  const { id, identity, address, userAgent, createdAt, seenAt, expiresAt } = session;
  const isOidc = identity.method === 'oidc';
  await tx
    .insertInto('sessions')
    .values({
      id,
      hash,
      name: identity.name,
      method: identity.method,
      token_hash: isOidc ? null : identity.tokenHash,
      issuer: isOidc ? identity.issuer : null,
      claims: isOidc ? JSON.stringify(identity.claims) : null,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      seen_at: seenAt,
      expires_at: expiresAt,
    })
    .execute();
}

export async function sessionByHash(queries: Queries, hash: string, now: number): Promise<Session | null> {
  const row = await live(queries, now).where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

/** Newest first. Their number is bounded, see `MAX_PER_NAME`. */
export async function allSessions(queries: Queries, now: number): Promise<Session[]> {
  const rows = await live(queries, now).orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(sessionOf);
}

export async function touchSession(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('sessions').set({ seen_at: now }).where('id', '=', id).where('seen_at', '<', now).execute();
}

/** @returns it as it was; null if there is none with this id */
export async function deleteSession(tx: Tx, id: string): Promise<Session | null> {
  const row = await tx.deleteFrom('sessions').where('id', '=', id).returningAll().executeTakeFirst();
  return row === undefined ? null : sessionOf(row);
}

export async function deleteEnded(tx: Tx, now: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('seen_at', '<=', now - IDLE_MS)]))
    .execute();
}

/** Keeps the sessions of this name that were used last. */
export async function deleteAllBut(tx: Tx, name: string, count: number): Promise<void> {
  const kept = tx.selectFrom('sessions').select('id').where('name', '=', name);
  await tx
    .deleteFrom('sessions')
    .where('name', '=', name)
    .where('id', 'not in', kept.orderBy('seen_at', 'desc').orderBy('id').limit(count))
    .execute();
}

function live(queries: Queries, now: number) {
  return queries
    .selectFrom('sessions')
    .selectAll()
    .where('expires_at', '>', now)
    .where('seen_at', '>', now - IDLE_MS);
}

function sessionOf(row: SessionRow): Session {
  const { id, address, user_agent: userAgent, created_at: createdAt, seen_at: seenAt, expires_at: expiresAt } = row;
  return { id, identity: identityOf(row), address, userAgent, createdAt, seenAt, expiresAt };
}

function identityOf({ name, method, token_hash: tokenHash, issuer, claims }: SessionRow): Identity {
  if (method === 'oidc') return { method, name, issuer: issuer ?? '', claims: JSON.parse(claims ?? '[]') as string[] };
  return { method: method === 'link' ? 'link' : 'token', name, tokenHash: tokenHash ?? '' };
}
