import type { DatabaseSync } from 'node:sqlite';
import type { NewAuditEntry } from './audit-record.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import type { AuditEntry, AuditFilter, Page, PageRequest } from './registry.ts';
import { selectNewest } from './sqlite-select.ts';

interface AuditRow {
  readonly sequence: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

export type AuditTable = ReturnType<typeof auditTable>;

/** The table of the audit log. */
export function auditTable(sqlite: DatabaseSync) {
  const insert = sqlite.prepare(`
    INSERT INTO audit (at, actor, action, subject, reason, before, after)
    VALUES (:at, :actor, :action, :subject, :reason, :before, :after)`);
  const select = selectNewest(sqlite, 'audit');

  return {
    /** @returns the sequence of the new entry */
    append({ at, actor, action, subject, reason, before, after }: NewAuditEntry): number {
      const what = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
      return Number(insert.run({ at, actor, action, subject, reason, ...what }).lastInsertRowid);
    },
    list({ subject, actor, action, from, to }: AuditFilter, page: PageRequest): Page<AuditEntry> {
      const before = page.cursor === undefined ? undefined : decodeCursor('audit', page.cursor);
      const who = { 'subject =': subject, 'actor =': actor, 'action =': action };
      const where = { 'sequence <': before, ...who, 'at >=': from, 'at <': to };
      const rows = select(where, page.limit + 1) as unknown as AuditRow[];
      return pageOf('audit', rows, page.limit, (row) => row.sequence, entryOf);
    },
  };
}

function entryOf(row: AuditRow): AuditEntry {
  const { sequence, at, actor, action, subject, reason } = row;
  return { sequence, at, actor, action, subject, reason, before: fieldsOf(row.before), after: fieldsOf(row.after) };
}

function fieldsOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
