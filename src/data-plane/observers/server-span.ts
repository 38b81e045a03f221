import { errors, SERVED } from '../../base/error-codes.ts';
import type { SpanAttributes } from '../../telemetry/traces/tracing.ts';
import type { Exchange } from '../exchange.ts';
import { protocolOf } from '../forwarding/rewrite-request.ts';
import { knownMethod, spanName, spanPath } from './span-names.ts';

/** `tollgate.outcome` of a request whose client left before it had the whole answer. */
const ABORTED = 'aborted';

/**
 * Records the span of a request that is over, if it is sampled. Query, headers and addresses are left out, as they are
 * in the log.
 *
 * @param now `performance.now()`
 */
export function recordServerSpan(exchange: Exchange, now: number): void {
  const { trace, req, match } = exchange;
  if (trace === null || !trace.isSampled) return;
  const errorType = errorTypeOf(exchange);
  trace.tracing.record({
    kind: 'server',
    name: spanName(req.method, match.kind === 'operation' ? match.route.operation : null),
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parent?.spanId ?? null,
    isParentRemote: true,
    traceState: trace.traceState,
    startMs: trace.epochMs + exchange.startedAt,
    endMs: trace.epochMs + now,
    attributes: { ...requestAttributes(exchange), ...answerAttributes(exchange, errorType) },
    isError: errorType !== null,
  });
}

/** By the semantic conventions of OpenTelemetry for HTTP servers, with what only a gateway knows. */
function requestAttributes(exchange: Exchange): SpanAttributes {
  const { req, match, credential } = exchange;
  const method = knownMethod(req.method);
  return {
    'http.request.method': method,
    ...(method === req.method ? {} : { 'http.request.method_original': req.method ?? '' }),
    'url.scheme': protocolOf(req.socket),
    'url.path': spanPath(exchange.path),
    'network.protocol.version': req.httpVersion,
    'tollgate.request.id': exchange.requestId,
    ...(match.kind === 'operation'
      ? {
          'http.route': match.route.operation.path,
          'tollgate.operation': match.route.operation.id,
          'tollgate.upstream': match.route.upstream.name,
        }
      : {}),
    ...(credential === null ? {} : { 'tollgate.plan': credential.plan, 'tollgate.key.id': credential.keyId }),
  };
}

function answerAttributes(exchange: Exchange, errorType: string | null): SpanAttributes {
  const { status, res, refusal, rawStatus } = exchange;
  const aborted = !res.writableFinished && rawStatus === 0;
  return {
    'tollgate.outcome': refusal ?? (aborted ? ABORTED : SERVED),
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    ...(errorType === null ? {} : { 'error.type': errorType }),
  };
}

/** Null for what is not the server's fault: the conventions count an answer of 4xx as none. */
function errorTypeOf({ status, refusal }: Exchange): string | null {
  if (refusal !== null) return errors[refusal].status >= 500 ? refusal : null;
  return status >= 500 ? String(status) : null;
}
