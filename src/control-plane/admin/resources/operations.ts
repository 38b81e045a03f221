import type { Operation } from '../../../openapi/openapi.ts';
import { toDateTime } from '../../../base/time.ts';
import type { Call, AdminOperations, PageQuery } from './operation.ts';
import { pageOfAll } from '../../api/respond.ts';

/** An operation that the gateway serves, and the upstream behind it. */
export interface ServedOperation {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'cost' | 'lifecycle'>;
  readonly upstream: { readonly name: string };
}

export function operationHandlers(served: readonly ServedOperation[]): AdminOperations {
  const items = served.map(operationJson).toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  return {
    listOperations({ query }: Call<undefined, PageQuery>) {
      return { status: 200, body: pageOfAll('operations', items, sortKeyOf, query) };
    },
  };
}

function sortKeyOf({ path, method }: { path: string; method: string }): string {
  return `${path} ${method}`;
}

export function operationJson({ operation, upstream }: ServedOperation) {
  const { id, method, path, cost, lifecycle } = operation;
  const { deprecated, deprecatedAt, sunsetAt, stability, successor, deprecationLink } = lifecycle;
  const brownouts = lifecycle.brownouts.map(({ from, to }) => ({ from: toDateTime(from), to: toDateTime(to) }));
  const times = { deprecatedAt: timeJson(deprecatedAt), sunsetAt: timeJson(sunsetAt), brownouts };
  const life = { deprecated, ...times, stability, successor, deprecationLink };
  return { id, method, path, upstream: upstream.name, cost, lifecycle: life };
}

function timeJson(time: number | null): string | null {
  return time === null ? null : toDateTime(time);
}
