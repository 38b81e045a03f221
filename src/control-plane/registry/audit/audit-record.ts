import type { AuditAction } from './audit-action.ts';
import { isDeepStrictEqual } from 'node:util';
import { planFields } from '../plans/plan.ts';
import { shownKeyFields } from '../keys/key.ts';
import type { AuditEntry, ChangeContext } from './audit-entry.ts';
import type { Key, NewKey } from '../keys/key.ts';
import type { Plan } from '../plans/plan.ts';

export type NewAuditEntry = Omit<AuditEntry, 'sequence'>;
type Fields = Readonly<Record<string, unknown>>;

/** The fields of a key or plan that the audit log shows. Using a key is not a change that an operator makes. */
const RECORDED: ReadonlySet<string> = new Set([
  ...shownKeyFields.filter((field) => field !== 'lastUsedAt'),
  ...planFields,
]);

/** What the audit log shows of a whole record. */
export function recorded(record: NewKey | Key | Plan): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => RECORDED.has(name)));
}

/** The fields that differ between two versions of a record; null if none does. */
export function difference<T extends Key | Plan>(before: T, after: T): { before: Fields; after: Fields } | null {
  return changedFields(recorded(before), recorded(after));
}

/** The fields whose values differ; null if none does. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | null {
  const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
  if (changed.length === 0) return null;
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, before[name]])),
    after: Object.fromEntries(changed),
  };
}

export function entryOf(
  change: ChangeContext,
  action: AuditAction,
  subject: string,
  what: { before?: Fields; after?: Fields },
): NewAuditEntry {
  const { actor, reason, at } = change;
  return { actor, reason, at, action, subject, before: what.before ?? null, after: what.after ?? null };
}

/** Revoking a key, which is final, has an action name of its own. */
export function updateAction(before: Key, after: Key): AuditAction {
  return before.status !== 'revoked' && after.status === 'revoked' ? 'key.revoke' : 'key.update';
}
