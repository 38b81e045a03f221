import { toDateTime } from '../../base/time.ts';
import { explainRefusal, type ExplanationContext, toRefusalFacts } from './explanations/explain-refusal.ts';
import type { FoundRefusal, RefusalRecord, UsageFigures, UsageReport } from './store/history-store.ts';

/** A report as both listeners return it: times in RFC 3339. */
export function toUsageReportJson({ from, to, every, countedSince, series, others }: UsageReport) {
  return {
    from: toDateTime(from),
    to: toDateTime(to),
    every,
    countedSince: countedSince === null ? null : toDateTime(countedSince),
    series: series.map(({ group, totals, points }) => ({
      group,
      totals: toFiguresJson(totals),
      points: points.map(({ at, ...figures }) => ({ at: toDateTime(at), ...toFiguresJson(figures) })),
    })),
    others: others && toFiguresJson(others),
  };
}

/** Rounds durations to four significant digits. */
export function toFiguresJson({ p50Ms, p95Ms, p99Ms, ...counts }: UsageFigures): UsageFigures {
  return { ...counts, p50Ms: roundDuration(p50Ms), p95Ms: roundDuration(p95Ms), p99Ms: roundDuration(p99Ms) };
}

/** Rounds to four digits, so that the error stays below 5% together with the error of the buckets. */
function roundDuration(ms: number | null): number | null {
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
export function toExplanationJson(requestId: string, refusals: readonly FoundRefusal[], context: ExplanationContext) {
  return {
    requestId,
    refusals: refusals.map((refusal) => {
      const { sentences, ...explained } = explainRefusal(refusal, context);
      const { requestId: storedId, keyId } = refusal;
      const allSentences = storedId === requestId ? sentences : [REPEATED_NOTICE, ...sentences];
      return { requestId: storedId, at: toDateTime(refusal.at), keyId, sentences: allSentences, ...explained };
    }),
  };
}

const REPEATED_NOTICE =
  'Only a few of many similar refusals are stored. The request with this id was refused in the same minute, and for the same ' +
  'reason, as the one below.';

/** A refusal in a list: its cause in one sentence, without the events that followed. */
export function toRefusalJson(record: RefusalRecord, context: ExplanationContext) {
  const { requestId, keyId } = record;
  const { status, code, method, operation, path } = toRefusalFacts(record.facts);
  const [, cause = ''] = explainRefusal({ ...record, minutes: [], later: [] }, context).sentences;
  return { requestId, at: toDateTime(record.at), keyId, status, code, method, operation, path, cause };
}
