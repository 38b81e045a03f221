import type { Logger } from 'pino';
import { SERVED } from '../../base/error-codes.ts';
import { createResponseLog } from '../../telemetry/log/response-log.ts';
import type { RequestObserver } from '../exchange/request-record.ts';

/** Logs one line per response. Neither query nor headers are logged: they may hold secrets. */
export function createAccessLog(logger: Logger): RequestObserver {
  const logResponse = createResponseLog(logger);
  return function accessLog(record) {
    const { credential, operation, decision, outcome } = record;
    logResponse({
      requestId: record.requestId,
      traceId: record.traceId,
      keyId: credential?.keyId,
      plan: credential?.plan,
      method: record.method,
      operation: operation?.id,
      path: record.unmatchedPath ?? undefined,
      status: record.status || undefined,
      durationMs: Math.round(record.durationMs * 1000) / 1000,
      reason: outcome === SERVED ? undefined : outcome,
      shadow: decision?.admitted === true && decision.outcome !== 'admitted' ? decision.outcome : undefined,
      aborted: record.aborted ? true : undefined,
    });
  };
}
