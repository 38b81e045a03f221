import { toDateTime } from '../../../base/date-time.ts';
import { csvLine } from '../../../base/csv-line.ts';
import type { HistoryStore } from '../../../history/history-store.ts';
import type { Caller } from '../../../history/reports.ts';
import { Refused } from '../../http/refused.ts';
import type { AdminOperations, Call, PageQuery } from '../../operation.ts';
import type { ServedOperation } from '../operations.ts';
import { PREFIX } from '../../document.ts';

const CSV = 'text/csv';
const COLUMNS = ['key', 'owner', 'plan', 'firstAt', 'lastAt', 'requests'] as const;

export function callerOperations(history: HistoryStore, served: readonly ServedOperation[]): AdminOperations {
  const isServed = (id: string) => served.some(({ operation }) => operation.id === id);

  return {
    async listCallers({ path: { id = '' }, query, accepts }: Call<undefined, PageQuery>) {
      const page = await history.callers({ operation: id, ...query });
      // An operation that is served no more still has its callers. A misspelt id must not look like one without any.
      if (page.items.length === 0 && query.cursor === undefined && !isServed(id)) {
        throw new Refused('operation_not_found');
      }
      const items = page.items.map(callerJson);
      const headers = { Vary: 'Accept' };
      if (accepts(['application/json', CSV]) !== CSV) {
        return { status: 200, body: { items, nextCursor: page.nextCursor }, headers };
      }
      const next = page.nextCursor === null ? {} : { Link: nextLink(id, query.limit, page.nextCursor) };
      const text = [COLUMNS, ...items.map((item) => Object.values(item))].map(csvLine).join('');
      return { status: 200, text, headers: { ...headers, 'Content-Type': CSV, ...next } };
    },
  };
}

function callerJson({ key, owner, plan, firstAt, lastAt, requests }: Caller) {
  return { key, owner, plan, firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt), requests };
}

/** RFC 8288; a table has no other place for the cursor. */
function nextLink(id: string, limit: number, cursor: string): string {
  const query = new URLSearchParams({ limit: String(limit), cursor }).toString();
  return `<${PREFIX}/operations/${encodeURIComponent(id)}/callers?${query}>; rel="next"`;
}
