import { formatCsvLine } from '../../../base/portable/csv-line.ts';
import { toDateTime, toMillis } from '../../../base/time.ts';
import { PREFIX } from './admin-document.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { createNextLink } from '../../api-server/send-response.ts';
import type { AuditEntry } from '../../registry/audit-log.ts';
import type { Registry } from '../../registry/registry.ts';

const CSV = 'text/csv';

/** Matches the names of fields, such as `expiresAt`, whose values are ms since the Unix epoch. */
const TIME_FIELD = /(?:At|Until|Since)$/;

export function createAuditOperations(registry: Registry): Pick<AdminOperations, 'listAudit'> {
  return {
    async listAudit({ query, accepts }) {
      const { limit, cursor, from, to, signIns, ...filter } = query;
      const period = { from: toMillis(from), to: toMillis(to) };
      const { items, nextCursor } = await registry.listAudit(
        { ...filter, ...period, withoutSignIns: signIns === 'false' },
        { limit, cursor },
      );
      const entries = items.map(toEntryJson);
      const headers = { Vary: 'Accept' };
      if (accepts(['application/json', CSV]) !== CSV)
        return { status: 200, body: { items: entries, nextCursor }, headers };
      const next = createNextLink(`${PREFIX}/audit`, { ...filter, signIns, from, to, limit }, nextCursor);
      return { status: 200, text: formatAuditCsv(entries), headers: { ...headers, 'Content-Type': CSV, ...next } };
    },
  };
}

function toEntryJson(entry: AuditEntry): Schemas['AuditEntry'] {
  const { sequence, at, actor, action, subject, reason, message = null, before, after, bulkId = null } = entry;
  const changes = { before: formatTimeFields(before), after: formatTimeFields(after) };
  return { sequence, at: toDateTime(at), actor, action, subject, reason, message, bulkId, ...changes };
}

function formatTimeFields(fields: AuditEntry['before']): AuditEntry['before'] {
  if (fields === null) return null;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      TIME_FIELD.test(name) && typeof value === 'number' ? toDateTime(value) : value,
    ]),
  );
}

const CSV_HEADER = ['sequence', 'at', 'actor', 'action', 'subject', 'reason', 'before', 'after', 'bulkId', 'message'];

/** Formats audit entries as CSV that is safe to open in a spreadsheet. The cells for `before` and `after` are JSON. */
export function formatAuditCsv(entries: readonly Schemas['AuditEntry'][]): string {
  const rows = entries.map(({ sequence, at, actor, action, subject, reason, before, after, bulkId, message }) => [
    sequence,
    at,
    actor,
    action,
    subject,
    reason,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    bulkId,
    message,
  ]);
  return [CSV_HEADER, ...rows].map(formatCsvLine).join('');
}
