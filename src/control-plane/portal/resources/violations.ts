import { type Clock, toDateTime } from '../../../base/time.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findPlaceExample } from '../../../openapi/place-example.ts';
import type { HistoryStore } from '../../history/store/history-store.ts';
import { readHours, splitRule } from '../../history/violation-query.ts';
import type { Registry } from '../../registry/registry.ts';
import { requireSession } from '../access/caller.ts';
import { getOwnKey } from '../access/key-ownership.ts';
import type { ServedOperation } from './changes.ts';
import { runReport, selectCallers } from './history.ts';
import type { PortalOperations } from './portal-handlers.ts';

export interface OwnViolationDependencies {
  readonly history: HistoryStore;
  readonly registry: Registry;
  readonly served: readonly ServedOperation[];
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly clock: Clock;
  /** Number of reports that are being computed, by name of the caller. */
  readonly runningReports: Map<string, number>;
}

export function createViolationOperations({
  history,
  registry,
  served,
  publicDocument,
  clock,
  runningReports,
}: OwnViolationDependencies): Pick<PortalOperations, 'listOwnViolations'> {
  const compared = served.some(({ validation }) => (validation?.mode ?? 'off') !== 'off');
  const operations = new Map(served.map((each) => [each.operation.id, each]));
  return {
    async listOwnViolations({ query: { from, to, ...others }, caller }) {
      const signedIn = requireSession(caller);
      if (others.key !== undefined) await getOwnKey(registry, signedIn, others.key);
      const period = readHours(from, to, clock());
      const report = await runReport(runningReports, caller.name, () =>
        history.violations({
          operations: [...operations.keys()],
          by: 'operationRule',
          kind: 'document',
          ...period,
          ...others,
          ...selectCallers(signedIn),
        }),
      );
      const items = report.items.flatMap(({ group, rule, requests, refused, keys, firstAt, lastAt }) => {
        const found = operations.get(group ?? '');
        if (found === undefined) return [];
        const { id, method, path } = found.operation;
        const { rule: check, path: place } = splitRule(rule ?? '');
        return {
          operation: id,
          method,
          path,
          mode: found.validation?.mode ?? 'off',
          rule: check,
          place,
          example: findPlaceExample(publicDocument, { method, path, place }),
          requests,
          refused,
          keys,
          firstAt: toDateTime(firstAt),
          lastAt: toDateTime(lastAt),
        };
      });
      const times = { from: toDateTime(period.from), to: toDateTime(period.to) };
      return { status: 200, body: { compared, ...times, items, nextCursor: report.nextCursor } };
    },
  };
}
