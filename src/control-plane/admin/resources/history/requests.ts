import type { Clock } from '../../../../base/time.ts';
import type { HistoryStore } from '../../../history/reports.ts';
import { explanationJson } from '../../../history/report-json.ts';
import { Refused } from '../../../api/http/refused.ts';
import type { AdminOperations, Call } from '../../operation.ts';

export function requestOperations(history: HistoryStore, clock: Clock): AdminOperations {
  return {
    async explainRequest({ path: { requestId = '' } }: Call) {
      const refusals = await history.findRefusals(requestId);
      if (refusals.length === 0) throw new Refused('request_not_found');
      return { status: 200, body: explanationJson(requestId, refusals, clock(), 'operator') };
    },
  };
}
