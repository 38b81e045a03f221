import { SERVED } from '../../../base/error-codes.ts';
import { GATEWAY_PREFIX } from '../../../http/path-rules.ts';
import type { Recorder } from './recorder.ts';
import type { Exchange } from '../../../data-plane/exchange.ts';
import type { OnEnded } from '../../../data-plane/observers/access-log.ts';

/** Counts every request in the history, except for preflights and the gateway's own endpoints. */
export function createRecordHistory(recorder: Recorder): OnEnded {
  return function recordHistory(exchange, now) {
    if (exchange.preflight || exchange.path.startsWith(GATEWAY_PREFIX)) return;
    const { credential, match, refusal, decision } = exchange;
    const operation = match.kind === 'operation' ? match.route.operation : null;
    const cost = operation === null ? 1 : operation.cost;
    const charged = decision !== null && decision.admitted ? cost : 0;
    recorder.record(
      credential === null ? null : credential.keyId,
      operation === null ? null : operation.id,
      refusal ?? SERVED,
      statusClassOf(exchange.status),
      charged,
      isRefusedByQuota(exchange) ? cost : 0,
      now - exchange.startedAt,
    );
  };
}

/** First digit of the status. A service may answer with any number up to 999; what HTTP does not know is an error. */
function statusClassOf(status: number): number {
  return status < 600 ? Math.trunc(status / 100) : 5;
}

/** What would have been charged if the key had had more quota. */
function isRefusedByQuota({ refusal }: Exchange): boolean {
  return refusal === 'rate_limit_exceeded' || refusal === 'quota_exceeded' || refusal === 'key_banned';
}
