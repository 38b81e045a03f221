import { toDateTime } from '../../../../base/time.ts';
import type { HistoryStore, Caller } from '../../../history/reports.ts';
import { type CallerJson, callersCsv } from '../../../history/report-json.ts';
import { nextLink } from '../../../api/http/next-link.ts';
import { Refused } from '../../../api/http/refused.ts';
import type { AdminOperations, Call, PageQuery } from '../../operation.ts';
import type { ServedOperation } from '../operations.ts';
import { PREFIX } from '../../document.ts';

const CSV = 'text/csv';

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
      const path = `${PREFIX}/operations/${encodeURIComponent(id)}/callers`;
      const next = nextLink(path, { limit: query.limit }, page.nextCursor);
      return { status: 200, text: callersCsv(items), headers: { ...headers, 'Content-Type': CSV, ...next } };
    },
  };
}

function callerJson({ firstAt, lastAt, ...caller }: Caller): CallerJson {
  return { ...caller, firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt) };
}
