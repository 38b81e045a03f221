import { csvLine } from '../../../../base/csv-line.ts';

/** A change as the API answers it: times in RFC 3339. */
interface AuditEntryJson {
  readonly sequence: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly before: object | null;
  readonly after: object | null;
}

const HEAD = ['sequence', 'at', 'actor', 'action', 'subject', 'reason', 'before', 'after'];

/** The audit log as a table that is safe to open in a spreadsheet; what changed is JSON in its cells. */
export function auditCsv(entries: readonly AuditEntryJson[]): string {
  const rows = entries.map(({ sequence, at, actor, action, subject, reason, before, after }) => [
    sequence,
    at,
    actor,
    action,
    subject,
    reason,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
  ]);
  return [HEAD, ...rows].map(csvLine).join('');
}
