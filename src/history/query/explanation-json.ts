import { toDateTime } from '../../base/date-time.ts';
import type { FoundRefusal } from '../reports.ts';

/** What both listeners answer about refused requests. */
export function explanationJson(requestId: string, refusals: readonly FoundRefusal[]) {
  return {
    requestId,
    refusals: refusals.map((refusal) => ({ at: toDateTime(refusal.at), keyId: refusal.keyId, ...explain(refusal) })),
  };
}

function explain({ facts }: FoundRefusal): { sentences: string[]; facts: object } {
  return { sentences: [], facts };
}
