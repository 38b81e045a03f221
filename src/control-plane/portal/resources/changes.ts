import type { SignedIn } from '../../accounts/account-sessions.ts';
import { toDateTime } from '../../../base/time.ts';
import type { HistoryStore, Calls } from '../../history/store/history-store.ts';
import type { ValidationMode } from '../../../domain/validation-mode.ts';
import type { Operation } from '../../../openapi/openapi.ts';
import { requireSession } from '../access/caller.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';
import { selectCallers } from './history.ts';

/** An operation that the gateway serves. */
export interface ServedOperation {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'tags' | 'public' | 'lifecycle'>;
  /** Null: calls are not compared with the document. */
  readonly validation: { readonly mode: ValidationMode } | null;
}

interface ChangeOperationDependencies {
  readonly history: HistoryStore;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: object;
}

/** A deprecated or ending operation. Nothing here depends on the caller. */
interface EndingOperation {
  readonly operation: ServedOperation['operation'];
  readonly summary: string | null;
}

/** Creates the operation that lists the deprecated or ending operations that the caller has used. */
export function createChangeOperations({
  history,
  served,
  publicDocument,
}: ChangeOperationDependencies): Pick<PortalOperations, 'listChanges'> {
  const endings = new Map<string, EndingOperation>(
    served
      .map(({ operation }) => operation)
      .filter(({ lifecycle }) => lifecycle.deprecated || lifecycle.sunsetAt !== null)
      .map((operation) => [operation.id, { operation, summary: findSummary(publicDocument, operation) }]),
  );
  const operations = [...endings.keys()];

  return {
    async listChanges({ caller }) {
      const signedIn = requireSession(caller);
      const calls = await history.calls({ operations, ...selectCallers(signedIn) });
      const changes = calls.flatMap((operationCalls) => {
        const ending = endings.get(operationCalls.operation);
        return ending === undefined
          ? []
          : [{ calls: { ...operationCalls, keys: filterVisibleKeys(signedIn, operationCalls.keys) }, ...ending }];
      });
      return { status: 200, body: { items: changes.toSorted(compareByEnd).map(toChangeJson) } };
    },
  };
}

/** Leaves out other keys for the session of a key, even those of its rotation chain. */
function filterVisibleKeys({ account, key }: SignedIn, keys: Calls['keys']): Calls['keys'] {
  return account === null ? keys.filter(({ id }) => id === key.id) : keys;
}

type Change = EndingOperation & { readonly calls: Calls };

/**
 * Sorts by the date of the end; operations without a date come last. For the same date, the operation that was called
 * last comes first.
 */
function compareByEnd(a: Change, b: Change): number {
  const [endOfA, endOfB] = [a, b].map(({ operation }) => operation.lifecycle.sunsetAt ?? Number.MAX_SAFE_INTEGER);
  return (endOfA ?? 0) - (endOfB ?? 0) || b.calls.lastAt - a.calls.lastAt;
}

function toChangeJson({ calls, operation: { id, method, path, lifecycle }, summary }: Change): Schemas['Change'] {
  const { deprecatedAt, sunsetAt, successor, deprecationLink: link } = lifecycle;
  const brownouts = lifecycle.brownouts.map(({ from, to }) => ({ from: toDateTime(from), to: toDateTime(to) }));
  const callsJson = { firstAt: toDateTime(calls.firstAt), lastAt: toDateTime(calls.lastAt), requests: calls.requests };
  const keys = calls.keys.map((key) => ({ ...key, lastAt: toDateTime(key.lastAt) }));
  const times = { deprecatedAt: toDateTime(deprecatedAt), sunsetAt: toDateTime(sunsetAt), brownouts };
  return { operation: id, method, path, summary, ...callsJson, keys, ...times, successor, link };
}

type Operations = Readonly<Record<string, { readonly summary?: unknown } | undefined>>;

function findSummary(document: object, { method, path }: ServedOperation['operation']): string | null {
  const { paths } = document as { readonly paths: Readonly<Record<string, Operations | undefined>> };
  const summary = paths[path]?.[method.toLowerCase()]?.summary;
  return typeof summary === 'string' ? summary : null;
}
