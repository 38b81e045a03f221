import type { Clock } from '../../../../base/time.ts';
import type { HistoryStore } from '../../../history/reports.ts';
import type { Retention } from '../../../history/retention.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { AdminOperations } from '../../operation.ts';
import type { ServedOperation } from '../operations.ts';
import { callerOperations } from './callers.ts';
import { previewOperations } from './preview.ts';
import { requestOperations } from './requests.ts';
import { usageHistoryOperations } from './usage-history.ts';

export interface HistorySettings {
  readonly history: HistoryStore;
  readonly historyKeep: Retention;
  readonly registry: Registry;
  /** The operations that the gateway serves. */
  readonly served: readonly ServedOperation[];
  readonly clock: Clock;
}

export function historyOperations({ history, historyKeep, registry, served, clock }: HistorySettings): AdminOperations {
  return {
    ...usageHistoryOperations(history, historyKeep, registry, clock),
    ...callerOperations(history, served),
    ...requestOperations(history, clock),
    ...previewOperations(history, registry, clock),
  };
}
