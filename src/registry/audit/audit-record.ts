import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry, ChangeContext, Key, NewKey, Plan } from '../registry.ts';

export type NewAuditEntry = Omit<AuditEntry, 'sequence'>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a key or a plan that the log may show. Named one by one, so that a secret that travels with a record
 * never gets in. Left out besides: the hash of it, the revision, and what is no operator's doing.
 */
const RECORDED = new Set(
  (
    'id name owner plan limits status metadata prefix lastFour createdAt expiresAt quotaId rotatedTo ' +
    'description custom mode onStoreFailure'
  ).split(' '),
);

/** What the audit log says of a whole record. */
export function recorded(record: NewKey | Key | Plan): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => RECORDED.has(name)));
}

/** The fields that differ between two versions of one record; null where none does. */
export function difference<T extends Key | Plan>(before: T, after: T): { before: Fields; after: Fields } | null {
  const old = recorded(before);
  const changed = Object.entries(recorded(after)).filter(([name, value]) => !isDeepStrictEqual(value, old[name]));
  if (changed.length === 0) return null;
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old[name]])),
    after: Object.fromEntries(changed),
  };
}

export function entryOf(
  change: ChangeContext,
  action: string,
  subject: string,
  what: { before?: Fields; after?: Fields },
): NewAuditEntry {
  const { actor, reason, at } = change;
  return { actor, reason, at, action, subject, before: what.before ?? null, after: what.after ?? null };
}

/** The change that ends a key for good goes by a name of its own. */
export function updateAction(before: Key, after: Key): string {
  return before.status !== 'revoked' && after.status === 'revoked' ? 'key.revoke' : 'key.update';
}
