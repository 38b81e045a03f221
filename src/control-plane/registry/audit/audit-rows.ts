import type { AuditAction } from './audit-action.ts';
import type { Selectable } from 'kysely';
import type { Queries, Tx, AuditTable } from '../../../storage/tables.ts';
import type { NewAuditEntry } from './audit-record.ts';
import { decodeSequence, pageOf, type Page, type PageRequest } from '../../../base/paging.ts';
import type { AuditEntry, AuditFilter } from './audit-entry.ts';

/** Adds entries, at most one per subject. @returns their sequences, by subject */
export async function appendAudit(tx: Tx, entries: readonly NewAuditEntry[]): Promise<Map<string, number>> {
  const rows = await tx.insertInto('audit').values(entries.map(rowOf)).returning(['subject', 'sequence']).execute();
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]));
}

/** Newest first. */
export async function listAudit(queries: Queries, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> {
  let query = queries.selectFrom('audit').selectAll();
  if (page.cursor !== undefined) query = query.where('sequence', '<', decodeSequence('audit', page.cursor));
  for (const field of ['subject', 'actor', 'action'] as const) {
    const value = filter[field];
    if (value !== undefined) query = query.where(field, '=', value);
  }
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('at', '<', filter.to);
  const rows = await query
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute();
  return pageOf('audit', rows, page.limit, (row) => row.sequence, entryOf);
}

function rowOf({ at, actor, action, subject, reason, before, after }: NewAuditEntry) {
  const what = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
  return { at, actor, action, subject, reason, ...what };
}

function entryOf(row: Selectable<AuditTable>): AuditEntry {
  const { sequence, at, actor, subject, reason } = row;
  const action = row.action as AuditAction;
  return { sequence, at, actor, action, subject, reason, before: fieldsOf(row.before), after: fieldsOf(row.after) };
}

function fieldsOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
