import { toDateTime } from '../../base/time.ts';
import { explain, type ExplanationContext, storedFacts } from './explanations/explain-refusal.ts';
import type { FoundRefusal, RefusalRecord, UsageFigures, UsageReport } from './store/history-store.ts';

/** A report as both listeners return it: times in RFC 3339. */
export function usageReportJson({ from, to, every, countedSince, series, others }: UsageReport) {
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    every,
    countedSince: countedSince === null ? null : toDateTime(countedSince),
    series: series.map(({ group, totals, points }) => ({
      group,
      totals: figuresJson(totals),
      points: points.map(({ at, ...figures }) => ({ at: toDateTime(at), ...figuresJson(figures) })),
    })),
    others: others && figuresJson(others),
  };
}

/** Rounds durations to four digits. */
export function figuresJson({ p50Ms, p95Ms, p99Ms, ...counts }: UsageFigures): UsageFigures {
  return { ...counts, p50Ms: rounded(p50Ms), p95Ms: rounded(p95Ms), p99Ms: rounded(p99Ms) };
}

/** Rounds to four digits, so that the error stays below 5% together with the error of the buckets. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Number(ms.toPrecision(4));
}

/** A caller of an operation as the API returns it: times in RFC 3339. */
export interface CallerJson {
  readonly key: string;
  /** Null: the key no longer exists. */
  readonly owner: string | null;
  /** The address of the owner's account; null if there is none. */
  readonly email: string | null;
  readonly plan: string | null;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly requests: number;
}

/** The response that explains the refused requests that an id leads to. */
export function explanationJson(requestId: string, refusals: readonly FoundRefusal[], context: ExplanationContext) {
  return {
    requestId,
    refusals: refusals.map((refusal) => {
      const { sentences, ...explained } = explain(refusal, context);
      const { requestId: storedId, keyId } = refusal;
      const all = storedId === requestId ? sentences : [REPEATED, ...sentences];
      return { requestId: storedId, at: toDateTime(refusal.at), keyId, sentences: all, ...explained };
    }),
  };
}

const REPEATED =
  'The request with this id was refused like the following one, for the same reason and in the same minute. Of many such requests, ' +
  'only a few are stored.';

/** A refusal in a list: its cause in one sentence, without the events that followed. */
export function refusalJson(record: RefusalRecord, context: ExplanationContext) {
  const { requestId, keyId } = record;
  const { status, code, method, operation, path } = storedFacts(record.facts);
  const [, cause = ''] = explain({ ...record, minutes: [], later: [] }, context).sentences;
  return { requestId, at: toDateTime(record.at), keyId, status, code, method, operation, path, cause };
}
