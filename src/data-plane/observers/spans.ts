import { errors, SERVED } from '../../domain/error-codes.ts';
import { withoutTrailingSlashes } from '../../base/text.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequestRecord } from '../exchange/request-record.ts';
import type { Route } from '../upstreams/upstream.ts';
import { replaceKeys } from '../../http/redact-keys.ts';
import { METHODS, type Operation } from '../../openapi/openapi.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';
import type { RequestTrace } from '../../telemetry/traces/request-trace.ts';
import { setTraceparent } from '../../telemetry/traces/trace-context.ts';
import type { SpanAttributes, AttemptSpan, UpstreamTrace } from '../../telemetry/traces/tracing.ts';

/** `tollgate.outcome` of a request whose client disconnected before the response was complete. */
const ABORTED = 'aborted';

/**
 * Records the span of a finished request, if it is sampled. Query, headers and addresses are left out, as in the log.
 */
export function recordServerSpan(record: RequestRecord): void {
  const { trace } = record;
  if (trace === null || !trace.isSampled) return;
  const errorType = findErrorType(record);
  trace.tracing.record({
    kind: 'server',
    name: formatSpanName(record.method, record.operation),
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parent?.spanId ?? null,
    isParentRemote: true,
    traceState: trace.traceState,
    startMs: trace.epochMs + record.startedAt,
    endMs: trace.epochMs + record.endedAt,
    attributes: { ...requestAttributes(record), ...buildResponseAttributes(record, errorType) },
    isError: errorType !== null,
  });
}

/** Attributes of the OpenTelemetry semantic conventions for HTTP servers, and attributes that only a gateway has. */
function requestAttributes(record: RequestRecord): SpanAttributes {
  const { operation, upstream, credential } = record;
  const method = normalizeMethod(record.method);
  return {
    'http.request.method': method,
    ...(method === record.method ? {} : { 'http.request.method_original': record.method }),
    'url.scheme': record.protocol,
    'url.path': formatSpanPath(record.path),
    'network.protocol.version': record.httpVersion,
    'tollgate.request.id': record.requestId,
    ...(operation === null || upstream === null
      ? {}
      : { 'http.route': operation.path, 'tollgate.operation': operation.id, 'tollgate.upstream': upstream }),
    ...(credential === null ? {} : { 'tollgate.plan': credential.plan, 'tollgate.key.id': credential.keyId }),
  };
}

function buildResponseAttributes(
  { status, outcome, aborted }: RequestRecord,
  errorType: string | null,
): SpanAttributes {
  return {
    'tollgate.outcome': outcome === SERVED && aborted ? ABORTED : outcome,
    ...(status === 0 ? {} : { 'http.response.status_code': status }),
    ...(errorType === null ? {} : { 'error.type': errorType }),
  };
}

/** @returns null unless the response is a server error; by the semantic conventions, a 4xx response is not one */
function findErrorType({ status, outcome }: RequestRecord): string | null {
  if (outcome !== SERVED) return errors[outcome].status >= 500 ? outcome : null;
  return status >= 500 ? String(status) : null;
}

/** By the semantic conventions, a client span with this status or above is an error. */
const FIRST_ERROR_STATUS = 400;

/**
 * Adds the header that tells the upstream which span of this gateway is the parent of its own span.
 *
 * @param headers flat `name, value` pairs, changed in place
 * @returns null if the request is not sampled
 */
export function traceUpstream(
  exchange: Exchange,
  trace: RequestTrace,
  route: Route,
  headers: string[],
): UpstreamTrace | null {
  const { traceparent } = trace;
  if (traceparent !== null) setTraceparent(headers, traceparent, trace.parent !== null);
  return trace.isSampled ? new ClientSpans(exchange, trace, route) : null;
}

/** The spans of a request's attempts to call an HTTP upstream: one span for each attempt. */
class ClientSpans implements UpstreamTrace {
  readonly #exchange: Exchange;
  readonly #trace: RequestTrace;
  readonly #route: Route;
  #attempts = 0;

  constructor(exchange: Exchange, trace: RequestTrace, route: Route) {
    this.#exchange = exchange;
    this.#trace = trace;
    this.#route = route;
  }

  attempt(target: string, headers: string[]): AttemptSpan {
    const trace = this.#trace;
    const spanId = trace.tracing.newSpanId();
    const startedAt = performance.now();
    const attributes = this.#attributes(target, this.#attempts++);
    setTraceparent(headers, trace.traceparentOf(spanId), true);
    return {
      end: (status, failure) => {
        const errorType = failure ?? (status >= FIRST_ERROR_STATUS ? String(status) : null);
        trace.tracing.record({
          kind: 'client',
          name: formatSpanName(this.#exchange.req.method, this.#route.operation),
          traceId: trace.traceId,
          spanId,
          parentSpanId: trace.spanId,
          isParentRemote: false,
          traceState: trace.traceState,
          startMs: trace.epochMs + startedAt,
          endMs: trace.epochMs + performance.now(),
          attributes: {
            ...attributes,
            ...(status === 0 ? {} : { 'http.response.status_code': status }),
            ...(errorType === null ? {} : { 'error.type': errorType }),
          },
          isError: errorType !== null,
        });
      },
    };
  }

  /** @param earlierAttempts number of attempts before this one */
  #attributes(target: string, earlierAttempts: number): SpanAttributes {
    const { req, path } = this.#exchange;
    const { operation, prefix, upstream } = this.#route;
    const { protocol, hostname, port, origin, pathname } = new URL(target);
    return {
      'http.request.method': normalizeMethod(req.method),
      // Credentials and query are left out, because they may contain secrets.
      'url.full': origin + withoutTrailingSlashes(pathname) + formatSpanPath(path.slice(prefix.length)),
      'url.template': operation.path.slice(prefix.length),
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'network.protocol.version': '1.1',
      'tollgate.upstream': upstream.name,
      ...(earlierAttempts === 0 ? {} : { 'http.request.resend_count': earlierAttempts }),
    };
  }
}

/** Maximum number of characters of a path. */
const MAX_PATH = 500;
const KNOWN_METHODS: ReadonlySet<string> = new Set([...METHODS, 'CONNECT', 'TRACE']);
const OTHER_METHOD = '_OTHER';

/**
 * Returns the method, or `_OTHER` if it is not a known one. Spans are grouped by method, and consumers must not be able
 * to create groups.
 */
function normalizeMethod(method = ''): string {
  return KNOWN_METHODS.has(method) ? method : OTHER_METHOD;
}

/** Formats the name of a span: the method, and the path template if there is an operation, but never the path itself. */
function formatSpanName(method: string | undefined, operation: Operation | null): string {
  const known = normalizeMethod(method);
  if (operation === null) return known === OTHER_METHOD ? 'HTTP' : known;
  return `${known} ${operation.path}`;
}

/** Formats a path for spans: without keys, as in the log. */
function formatSpanPath(path: string): string {
  return replaceKeys(normalizeEscapes(path)).slice(0, MAX_PATH);
}
