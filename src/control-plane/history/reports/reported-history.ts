import { StoreUnavailable } from '../../../base/error-types.ts';
import { FairSemaphore, Overloaded } from '../../../base/fair-semaphore.ts';
import { readAudience } from './audience-report.ts';
import { readCallers } from './callers-report.ts';
import type {
  Audience,
  AudienceQuery,
  HistoryStore,
  CallersPage,
  Calls,
  CallersQuery,
  CallsQuery,
  FoundRefusal,
  GroupList,
  GroupsQuery,
  OwnerRequestsQuery,
  PreviewQuery,
  PreviewReport,
  RecentRefusalsQuery,
  RefusalsPage,
  ViolationsQuery,
  ViolationsReport,
  UsageQuery,
  UsageReport,
} from '../store/history-store.ts';
import { readCalls, readPreview } from './plan-preview-report.ts';
import type { Reader } from './reader.ts';
import { readRecentRefusals, readRefusals } from './refusals-report.ts';
import { readViolations } from './violations-report.ts';
import type { Retention } from '../store/retention.ts';
import { readGroups, readOwnerRequests, readUsage } from './usage-report.ts';

/** Runs reports. Each report sees the tables as they were at one moment. */
interface Reports {
  /** @throws StoreUnavailable (as a rejection) if the report takes too long, or too many reports are waiting */
  run<T>(report: (reader: Reader) => Promise<T>): Promise<T>;
}

/** The reports of a history. They are the same for both databases. */
export class ReportedHistory implements Pick<
  HistoryStore,
  | 'usage'
  | 'usageGroups'
  | 'requestsByOwner'
  | 'callers'
  | 'audience'
  | 'violations'
  | 'calls'
  | 'preview'
  | 'findRefusals'
  | 'recentRefusals'
> {
  readonly #reports: Reports;
  readonly #keep: Retention;

  constructor(reports: Reports, keep: Retention) {
    this.#reports = reports;
    this.#keep = keep;
  }

  usage(query: UsageQuery): Promise<UsageReport> {
    return this.#reports.run((reader) => readUsage(reader, query, this.#keep));
  }

  usageGroups(query: GroupsQuery): Promise<GroupList> {
    return this.#reports.run((reader) => readGroups(reader, query, this.#keep));
  }

  requestsByOwner(query: OwnerRequestsQuery): Promise<ReadonlyMap<string, number>> {
    return this.#reports.run((reader) => readOwnerRequests(reader, query, this.#keep));
  }

  callers(query: CallersQuery): Promise<CallersPage> {
    return this.#reports.run((reader) => readCallers(reader, query));
  }

  audience(query: AudienceQuery): Promise<Audience> {
    return this.#reports.run((reader) => readAudience(reader, query));
  }

  violations(query: ViolationsQuery): Promise<ViolationsReport> {
    return this.#reports.run((reader) => readViolations(reader, query));
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

  recentRefusals(query: RecentRefusalsQuery): Promise<RefusalsPage> {
    return this.#reports.run((reader) => readRecentRefusals(reader, query));
  }
}

/** Time limit of a report, without the time in the queue. The console waits two seconds longer than this. */
export const REPORT_TIMEOUT_MS = 18_000;

const MAX_WAITING = 20;
const SHARED_PARTY = '';

/** Limits the number of reports that run and wait at the same time. */
export class ReportQueue {
  readonly #semaphore: FairSemaphore;

  constructor(concurrency: number) {
    this.#semaphore = new FairSemaphore({ concurrency, maxWaiting: MAX_WAITING, maxWaitingPerParty: MAX_WAITING });
  }

  /** @throws StoreUnavailable (as a rejection) if too many reports are waiting */
  async run<T>(report: () => Promise<T>): Promise<T> {
    try {
      return await this.#semaphore.run(SHARED_PARTY, report);
    } catch (error) {
      throw error instanceof Overloaded ? new StoreUnavailable('too many history reports are queued') : error;
    }
  }
}
