import { errors, SERVED } from '../../base/error-codes.ts';
import type { SpanAttributes } from '../../telemetry/traces/tracing.ts';
import type { RequestRecord } from '../exchange/request-record.ts';
import { knownMethod, spanName, spanPath } from './span-names.ts';

/** `tollgate.outcome` of a request whose client left before it had the whole answer. */
const ABORTED = 'aborted';

/**
 * Records the span of a request that is over, if it is sampled. Query, headers and addresses are left out, as they are
 * in the log.
 */
export function recordServerSpan(record: RequestRecord): void {
  const { trace } = record;
  if (trace === null || !trace.isSampled) return;
  const errorType = errorTypeOf(record);
  trace.tracing.record({
    kind: 'server',
    name: spanName(record.method, record.operation),
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parent?.spanId ?? null,
    isParentRemote: true,
    traceState: trace.traceState,
    startMs: trace.epochMs + record.startedAt,
    endMs: trace.epochMs + record.endedAt,
    attributes: { ...requestAttributes(record), ...answerAttributes(record, errorType) },
    isError: errorType !== null,
  });
}

/** By the semantic conventions of OpenTelemetry for HTTP servers, with what only a gateway knows. */
function requestAttributes(record: RequestRecord): SpanAttributes {
  const { operation, upstream, credential } = record;
  const method = knownMethod(record.method);
  return {
    'http.request.method': method,
    ...(method === record.method ? {} : { 'http.request.method_original': record.method }),
    'url.scheme': record.protocol,
    'url.path': spanPath(record.path),
    'network.protocol.version': record.httpVersion,
    'tollgate.request.id': record.requestId,
    ...(operation === null || upstream === null
      ? {}
      : { 'http.route': operation.path, 'tollgate.operation': operation.id, 'tollgate.upstream': upstream }),
    ...(credential === null ? {} : { 'tollgate.plan': credential.plan, 'tollgate.key.id': credential.keyId }),
  };
}

function answerAttributes({ status, outcome, aborted }: RequestRecord, errorType: string | null): SpanAttributes {
  return {
    'tollgate.outcome': outcome === SERVED && aborted ? ABORTED : outcome,
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    ...(errorType === null ? {} : { 'error.type': errorType }),
  };
}

/** Null for what is not the server's fault: the conventions count an answer of 4xx as none. */
function errorTypeOf({ status, outcome }: RequestRecord): string | null {
  if (outcome !== SERVED) return errors[outcome].status >= 500 ? outcome : null;
  return status >= 500 ? String(status) : null;
}
