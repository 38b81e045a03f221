import type { Endpoint } from '../../data-plane/ports.ts';
import type { Clock } from '../../base/time.ts';
import type { HistoryStore } from '../history/reports.ts';
import { explanationJson } from '../history/report-json.ts';

/** Why a request was refused: one with a key of the same quota. Those of others look as if they did not exist. */
export function requestEndpoint(history: HistoryStore, clock: Clock): Endpoint {
  return async function request({ credential, parameter: requestId }) {
    const refusals = await history.findRefusals(requestId, credential.quotaId);
    if (refusals.length === 0) return { code: 'request_not_found' };
    return JSON.stringify(explanationJson(requestId, refusals, clock(), 'consumer'));
  };
}
