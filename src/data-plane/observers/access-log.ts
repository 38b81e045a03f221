import type { Logger } from 'pino';
import { createResponseLog } from '../../telemetry/log/response-log.ts';
import { traceIdOf } from '../../telemetry/traces/trace-context.ts';
import type { Exchange, Step } from '../exchange.ts';
import { withoutKeys } from '../../http/redact-keys.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';

/** Called when a response is over; `now` is `performance.now()`, in ms. */
export type OnEnded = (exchange: Exchange, now: number) => void;

/**
 * Logs one line per response, when it is sent or cut off, and its metrics. First, so that every answer has its line.
 * Neither query nor headers are logged: they may hold secrets.
 */
export function createAccessLog(logger: Logger, onEnded: OnEnded): Step {
  const logResponse = createResponseLog(logger);
  return function accessLog(exchange) {
    const { req, res } = exchange;
    const { method } = req;
    // Now, because a service in this process may change the headers.
    const traceparent = req.headers['traceparent'] as string | undefined;
    res.once('close', () => {
      const now = performance.now();
      onEnded(exchange, now);
      const { match, credential, decision, refusal } = exchange;
      logResponse({
        requestId: exchange.requestId,
        traceId: exchange.trace === null ? traceIdOf(traceparent) : exchange.trace.traceId,
        keyId: credential?.keyId,
        plan: credential?.plan,
        method,
        operation: match.kind === 'operation' ? match.route.operation.id : undefined,
        path: match.kind === 'operation' ? undefined : withoutKeys(normalizeEscapes(exchange.path)),
        status: exchange.status || undefined,
        durationMs: Math.round((now - exchange.startedAt) * 1000) / 1000,
        reason: refusal ?? undefined,
        shadow: decision?.admitted === true && decision.outcome !== 'admitted' ? decision.outcome : undefined,
        aborted: res.writableFinished || exchange.rawStatus !== 0 ? undefined : true,
      });
    });
    return undefined;
  };
}
