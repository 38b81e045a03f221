import type { RequestTrace } from '../../telemetry/traces/request-trace.ts';
import { setTraceparent } from '../../telemetry/traces/trace-context.ts';
import type { AttemptSpan, SpanAttributes, UpstreamTrace } from '../../telemetry/traces/tracing.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { knownMethod, spanName, spanPath } from '../observers/span-names.ts';

/** Statuses from here on make a client's span an error, by the semantic conventions. */
const FIRST_ERROR_STATUS = 400;

/**
 * Says in the headers for an upstream which span of this gateway is the parent.
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

/** The spans of a request's attempts to call an HTTP upstream: one each. */
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
          name: spanName(this.#exchange.req.method, this.#route.operation),
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

  /** @param earlier attempts before this one */
  #attributes(target: string, earlier: number): SpanAttributes {
    const { req, path } = this.#exchange;
    const { operation, prefix, upstream } = this.#route;
    const { protocol, hostname, port, origin, pathname } = new URL(target);
    return {
      'http.request.method': knownMethod(req.method),
      // Without credentials and query, which may hold secrets.
      'url.full': origin + pathname.replace(/\/+$/, '') + spanPath(path.slice(prefix.length)),
      'url.template': operation.path.slice(prefix.length),
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'network.protocol.version': '1.1',
      'tollgate.upstream': upstream.name,
      ...(earlier === 0 ? {} : { 'http.request.resend_count': earlier }),
    };
  }
}
