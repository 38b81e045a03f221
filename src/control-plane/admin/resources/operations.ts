import type { ValidationMode } from '../../../domain/validation-mode.ts';
import type { Operation } from '../../../openapi/openapi.ts';
import { toDateTime } from '../../../base/time.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { paginate } from '../../api-server/send-response.ts';

/** An operation that the gateway serves, and the upstream behind it. */
export interface ServedOperation {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'tags' | 'public' | 'cost' | 'lifecycle'>;
  readonly upstream: { readonly name: string };
  /** Null: requests are not compared with the document. */
  readonly validation: {
    readonly mode: ValidationMode;
    readonly candidate: { readonly version: string } | null;
  } | null;
}

export function createOperationHandlers(served: readonly ServedOperation[]): Pick<AdminOperations, 'listOperations'> {
  const items = served.map(toOperationJson).toSorted((a, b) => (createSortKey(a) < createSortKey(b) ? -1 : 1));
  return {
    listOperations({ query }) {
      return { status: 200, body: paginate('operations', items, createSortKey, query) };
    },
  };
}

function createSortKey({ path, method }: { path: string; method: string }): string {
  return `${path} ${method}`;
}

function toOperationJson({ operation, upstream, validation }: ServedOperation): Schemas['Operation'] {
  const { id, method, path, tags, public: isPublic, cost, lifecycle } = operation;
  const { deprecated, deprecatedAt, sunsetAt, stability, successor, deprecationLink } = lifecycle;
  const brownouts = lifecycle.brownouts.map(({ from, to }) => ({ from: toDateTime(from), to: toDateTime(to) }));
  const times = { deprecatedAt: toDateTime(deprecatedAt), sunsetAt: toDateTime(sunsetAt), brownouts };
  const lifecycleJson = { deprecated, ...times, stability, successor, deprecationLink };
  return {
    id,
    method,
    path,
    tags: [...tags],
    public: isPublic,
    upstream: upstream.name,
    cost,
    validation: { mode: validation?.mode ?? 'off', candidate: (validation?.candidate ?? null) !== null },
    lifecycle: lifecycleJson,
  };
}
