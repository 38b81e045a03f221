import { toDateTime } from '../../../base/time.ts';
import { explain } from '../explain/explain.ts';
import type { Reader } from '../explain/explanation.ts';
import type { FoundRefusal } from '../reports.ts';

/**
 * What is answered about the refused requests with this id.
 *
 * @param now ms since the Unix epoch
 */
export function explanationJson(requestId: string, refusals: readonly FoundRefusal[], now: number, reader: Reader) {
  return {
    requestId,
    refusals: refusals.map((refusal) => {
      return { at: toDateTime(refusal.at), keyId: refusal.keyId, ...explain(refusal, now, reader) };
    }),
  };
}
