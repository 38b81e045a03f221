import { type Clock, DAY_MS, HOUR_MS, toDateTime } from '../../../base/time.ts';
import type { Change } from '../../../openapi/diff/change.ts';
import type { UpstreamDocument } from '../../../openapi/upstream-document.ts';
import type { DocumentComparisons } from '../../documents/document-comparisons.ts';
import { proposeOverlay } from '../../documents/removal-overlay.ts';
import type { HistoryStore, OperationAudience } from '../../history/store/history-store.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';

export interface DocumentReads {
  readonly comparisons: DocumentComparisons;
  readonly audience: HistoryStore['audience'];
  /** The services, with their documents in force. */
  readonly services: readonly { readonly name: string; readonly document: UpstreamDocument }[];
  readonly clock: Clock;
}

export function createDocumentOperations({
  comparisons,
  audience,
  services,
  clock,
}: DocumentReads): Pick<AdminOperations, 'compareDocument'> {
  const findDocument = (upstream: string) => services.find(({ name }) => name === upstream)?.document;

  return {
    async compareDocument({ readPieces }) {
      const { upstream, days, counts, changes, incomplete } = await comparisons.compare(readPieces(), findDocument);
      const now = clock();
      const from = startOfHour(now - days * DAY_MS);
      const breaking = changes.filter(({ severity }) => severity === 'breaking');
      const [all, broken] = await Promise.all([
        audience({ operations: listOperations(changes), from }),
        audience({ operations: listOperations(breaking), from }),
      ]);
      const isCalled = ({ operation }: Change) => operation !== null && all.operations.has(operation.id);
      const calledRemovals = breaking.filter((change) => change.kind === 'operation_removed' && isCalled(change));
      return {
        status: 200,
        body: {
          upstream,
          from: toDateTime(from),
          summary: {
            ...counts,
            called: breaking.filter(isCalled).length,
            keys: broken.keys,
            owners: broken.owners,
            incomplete,
          },
          changes: changes.map((change) => toChangeJson(change, all.operations.get(change.operation?.id ?? ''))),
          overlay: proposeOverlay(calledRemovals, now),
        },
      };
    },
  };
}

/** The history counts by hour. */
function startOfHour(at: number): number {
  return at - (at % HOUR_MS);
}

function listOperations(changes: readonly Change[]): string[] {
  return [...new Set(changes.flatMap(({ operation }) => operation?.id ?? []))];
}

const NO_CALLERS: OperationAudience = { keys: 0, owners: 0, requests: 0, lastAt: null, top: [] };

function toChangeJson(
  { kind, severity, operation, pointer, message }: Change,
  audience: OperationAudience | undefined,
): Schemas['DocumentChange'] {
  return { kind, severity, operation, pointer, message, callers: toCallersJson(audience) };
}

/** @param audience undefined: nobody called the operation */
export function toCallersJson({
  keys,
  owners,
  requests,
  lastAt,
  top,
}: OperationAudience = NO_CALLERS): Schemas['OperationCallers'] {
  return {
    keys,
    owners,
    requests,
    lastAt: toDateTime(lastAt),
    top: top.map((each) => ({ ...each, lastAt: toDateTime(each.lastAt) })),
  };
}
