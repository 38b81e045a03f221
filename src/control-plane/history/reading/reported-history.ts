import type { HistoryStore } from '../history-store.ts';
import type {
  CallersPage,
  Calls,
  CallersQuery,
  CallsQuery,
  FoundRefusal,
  PreviewQuery,
  PreviewReport,
  UsageQuery,
  UsageReport,
} from '../reports.ts';
import type { Retention } from '../tables/retention.ts';
import { readCallers } from './callers.ts';
import { readCalls } from './calls.ts';
import { readPreview } from './preview.ts';
import type { Reader } from './reader.ts';
import { readRefusals } from './refusals.ts';
import { readUsage } from './usage.ts';

/** Runs reports, each on one state of the tables. */
export interface Reports {
  /** @throws StoreUnavailable (as a rejection) if it takes too long, or too many are waiting */
  run<T>(report: (reader: Reader) => Promise<T>): Promise<T>;
}

/** The reports of a history: they are the same on both databases. */
export class ReportedHistory implements Pick<HistoryStore, 'usage' | 'callers' | 'calls' | 'preview' | 'findRefusals'> {
  readonly #reports: Reports;
  readonly #keep: Retention;

  constructor(reports: Reports, keep: Retention) {
    this.#reports = reports;
    this.#keep = keep;
  }

  usage(query: UsageQuery): Promise<UsageReport> {
    return this.#reports.run((reader) => readUsage(reader, query, this.#keep));
  }

  callers(query: CallersQuery): Promise<CallersPage> {
    return this.#reports.run((reader) => readCallers(reader, query));
  }

  calls(query: CallsQuery): Promise<Calls[]> {
    return this.#reports.run((reader) => readCalls(reader, query));
  }

  preview(query: PreviewQuery): Promise<PreviewReport> {
    return this.#reports.run((reader) => readPreview(reader, query, this.#keep));
  }

  findRefusals(requestId: string, quotaId?: string): Promise<FoundRefusal[]> {
    return this.#reports.run((reader) => readRefusals(reader, requestId, quotaId));
  }
}
