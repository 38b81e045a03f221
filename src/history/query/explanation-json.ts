import { toDateTime } from '../../base/date-time.ts';
import { explain } from '../explain/explain.ts';
import type { FoundRefusal } from '../reports.ts';

/**
 * What both listeners answer about the refused requests with this id.
 *
 * @param now ms since the Unix epoch
 */
export function explanationJson(requestId: string, refusals: readonly FoundRefusal[], now: number) {
  return {
    requestId,
    refusals: refusals.map((refusal) => {
      return { at: toDateTime(refusal.at), keyId: refusal.keyId, ...explain(refusal, now) };
    }),
  };
}
