import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { Credential } from '../../domain/credential.ts';
import { type CallErrorCode, SERVED } from '../../domain/error-codes.ts';
import { replaceKeys } from '../../http/redact-keys.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';
import type { RequestTrace } from '../../telemetry/traces/request-trace.ts';
import { readTraceId } from '../../telemetry/traces/trace-context.ts';
import type { Decision } from '../admission/decide.ts';
import type { Usage } from '../admission/quota-usage.ts';
import type { Exchange } from './exchange.ts';
import { findProtocol } from '../../http/protocol.ts';

/** Everything known about a finished request. Created when the response is sent or cut off, and never changed. */
export interface RequestRecord {
  readonly requestId: string;
  /**
   * Whether the request called the API, one of the gateway's own endpoints or the API catalog, or was a preflight that
   * the gateway answered.
   */
  readonly kind: 'call' | 'gateway_endpoint' | 'preflight' | 'api_catalog' | 'protected_resource';
  readonly method: string;
  /**
   * The normalized path without the query. It may contain a secret: show `unmatchedPath` or the operation's path
   * instead.
   */
  readonly path: string;
  /** The path without keys if no operation matches; otherwise null. */
  readonly unmatchedPath: string | null;
  readonly operation: Operation | null;
  /** Name of the upstream of the operation. */
  readonly upstream: string | null;
  /** The key, its owner and its plan; null if no key was sent, or if the key is unknown. */
  readonly credential: Credential | null;
  /** Units of quota that the request required. */
  readonly cost: number;
  /** Units of quota that the request was charged. */
  readonly charged: number;
  /** Null if admission was not reached. */
  readonly decision: Decision | null;
  /**
   * Whether the quota already had as many requests in flight as `concurrent` allows. In shadow mode, this request was
   * let through anyway.
   */
  readonly isAboveConcurrent: boolean;
  /** The usage in the response headers; null if the store of counters was not called, or was unavailable. */
  readonly usage: Usage | null;
  /** `served`, or the code with which the gateway responded instead of the upstream. */
  readonly outcome: typeof SERVED | CallErrorCode;
  /** Status of the response; 0 if none was sent. */
  readonly status: number;
  /** Whether the client or the upstream disconnected before the response was complete. */
  readonly aborted: boolean;
  /** When the head of the request was received, in ms by `performance.now()`. */
  readonly startedAt: number;
  /** When the response ended, in ms by `performance.now()`. */
  readonly endedAt: number;
  readonly durationMs: number;
  /** Time from forwarding the request to the head of the response, in ms; null if no upstream was called. */
  readonly upstreamMs: number | null;
  /** Additional headers of a refusal, as a flat list of names and values. */
  readonly refusalHeaders: readonly string[];
  /** Maximum body size of the operation, in bytes; null if no operation matches. */
  readonly maxBodyBytes: number | null;
  /** The `Content-Length` of the request, as sent. */
  readonly contentLength: string | undefined;
  readonly protocol: 'http' | 'https';
  readonly httpVersion: string;
  /** Null if traces are off. */
  readonly trace: RequestTrace | null;
  /** The id of the trace that the request belongs to, even if this gateway does not record the trace. */
  readonly traceId: string | undefined;
}

/** Called for every finished request. Must not throw. */
export type RequestObserver = (record: RequestRecord) => void;

/**
 * Called for every admission decision as soon as it is made. Observers cannot wait for the end of the request, because a
 * WebSocket may last for hours. Must not throw.
 *
 * @param cost units that the request required
 */
export type DecisionObserver = (decision: Decision, credential: Credential, cost: number, requestId: string) => void;

/**
 * @param method the method as received: a service in this process may have changed it in `req`
 * @param traceparent the header as received, for the same reason
 */
export function createRecord(exchange: Exchange, method: string, traceparent: string | undefined): RequestRecord {
  const { req, res, match, path, decision, refusal, trace, forwardedAt, startedAt } = exchange;
  const endedAt = performance.now();
  const route = match.kind === 'operation' ? match.route : null;
  const cost = route === null ? 1 : route.operation.cost;
  return {
    requestId: exchange.requestId,
    kind: exchange.kind ?? (path.startsWith(GATEWAY_PREFIX) ? 'gateway_endpoint' : 'call'),
    method,
    path,
    unmatchedPath: route === null ? replaceKeys(normalizeEscapes(path)) : null,
    operation: route === null ? null : route.operation,
    upstream: route === null ? null : route.upstream.name,
    credential: exchange.credential,
    cost,
    charged: decision !== null && decision.admitted ? cost : 0,
    decision,
    isAboveConcurrent: exchange.isAboveConcurrent,
    usage: exchange.usage,
    outcome: refusal ?? SERVED,
    status: exchange.status,
    aborted: !res.writableFinished && exchange.rawStatus === 0,
    startedAt,
    endedAt,
    durationMs: endedAt - startedAt,
    upstreamMs: forwardedAt === 0 ? null : (exchange.respondedAt || endedAt) - forwardedAt,
    refusalHeaders: exchange.refusalHeaders,
    maxBodyBytes: route === null ? null : route.maxBodyBytes,
    contentLength: req.headers['content-length'],
    protocol: findProtocol(req.socket),
    httpVersion: req.httpVersion,
    trace,
    traceId: trace === null ? readTraceId(traceparent) : trace.traceId,
  };
}
