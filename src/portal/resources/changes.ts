import { toDateTime } from '../../base/date-time.ts';
import type { HistoryStore } from '../../history/history-store.ts';
import type { Calls } from '../../history/reports.ts';
import type { Operation } from '../../upstreams/openapi.ts';
import { whoIs } from '../access/caller.ts';
import type { Call, PortalOperations } from '../operation.ts';
import { callersOf } from './history.ts';
import { timeJson } from './time-json.ts';

/** An operation that the gateway serves. */
export interface ServedOperation {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'lifecycle'>;
}

export interface ChangeSettings {
  readonly history: HistoryStore;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: object;
}

/** Operations that will end and that somebody called, those that end first first. */
export function changeOperations({ history, served, publicDocument }: ChangeSettings): PortalOperations {
  const ending = new Map(
    served
      .map(({ operation }) => operation)
      .filter(({ lifecycle }) => lifecycle.deprecated || lifecycle.sunsetAt !== null)
      .map((operation) => [operation.id, { operation, summary: summaryOf(publicDocument, operation) }]),
  );
  const operations = [...ending.keys()];
  const endOf = ({ operation }: Calls) => ending.get(operation)?.operation.lifecycle.sunsetAt ?? Infinity;

  return {
    async listChanges({ caller }: Call) {
      if (operations.length === 0) return { status: 200, body: { items: [] } };
      const calls = await history.calls({ operations, ...callersOf(whoIs(caller)) });
      const sorted = calls.toSorted((a, b) => endOf(a) - endOf(b) || b.lastAt - a.lastAt);
      const items = sorted.map((each) => ({
        ...changeJson(each, ending.get(each.operation)!.operation),
        summary: ending.get(each.operation)!.summary,
      }));
      return { status: 200, body: { items } };
    },
  };
}

function changeJson(
  { firstAt, lastAt, requests }: Calls,
  { id, method, path, lifecycle }: ServedOperation['operation'],
) {
  const { deprecatedAt, sunsetAt, successor, deprecationLink: link } = lifecycle;
  const brownouts = lifecycle.brownouts.map(({ from, to }) => ({ from: toDateTime(from), to: toDateTime(to) }));
  const called = { firstAt: toDateTime(firstAt), lastAt: toDateTime(lastAt), requests };
  const times = { deprecatedAt: timeJson(deprecatedAt), sunsetAt: timeJson(sunsetAt), brownouts };
  return { operation: id, method, path, ...called, ...times, successor, link };
}

function summaryOf(document: object, { method, path }: ServedOperation['operation']): string | null {
  type Paths = Readonly<
    Record<string, Readonly<Record<string, { readonly summary?: unknown } | undefined>> | undefined>
  >;
  const { paths } = document as { readonly paths: Paths };
  const summary = paths[path]?.[method.toLowerCase()]?.summary;
  return typeof summary === 'string' ? summary : null;
}
