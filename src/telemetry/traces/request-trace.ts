import { formatTraceparent, parseTraceparent, SAMPLED, type TraceContext } from './trace-context.ts';
import type { Tracing } from './tracing.ts';

/**
 * The trace of a request, if traces are on. If the request is not sampled, no other object is allocated for its trace.
 */
export class RequestTrace {
  readonly tracing: Tracing;
  /** The parent from the request's `traceparent`; null if there is no valid one. */
  readonly parent: TraceContext | null;
  readonly traceId: string;
  /** The parent's `tracestate`; undefined if there was none. */
  readonly traceState: string | undefined;
  readonly isSampled: boolean;
  /**
   * The id of the server span. If the request is not sampled, there is no span, and the id is used only in the
   * `traceparent` for the upstream.
   */
  readonly spanId: string;
  /**
   * The offset from `performance.now()` to ms since the Unix epoch. All spans of a request use the same offset, so that
   * their times are consistent.
   */
  readonly epochMs: number;

  /**
   * @param header the request's `traceparent`
   * @param traceState its `tracestate`
   * @param isTrusted returns whether a trusted proxy sent the request; called only if that matters
   */
  constructor(tracing: Tracing, header: string | undefined, traceState: string | undefined, isTrusted: () => boolean) {
    this.tracing = tracing;
    this.parent = header === undefined ? null : parseTraceparent(header);
    this.traceState = this.parent === null ? undefined : traceState;
    this.traceId = this.parent === null ? tracing.newTraceId() : this.parent.traceId;
    this.isSampled = this.#decideSampling(isTrusted);
    this.spanId = tracing.newSpanId();
    this.epochMs = this.isSampled ? Date.now() - performance.now() : 0;
  }

  /**
   * The `traceparent` for the upstream. Null if the received `traceparent` should be passed on unchanged, because
   * neither the parent nor the gateway records a span. A new id would then refer to a span that does not exist.
   */
  get traceparent(): string | null {
    if (!this.isSampled && this.parent !== null && (this.parent.flags & SAMPLED) === 0) return null;
    return this.traceparentOf(this.spanId);
  }

  traceparentOf(spanId: string): string {
    return formatTraceparent(this.traceId, spanId, this.isSampled, this.parent?.flags ?? 0);
  }

  #decideSampling(isTrusted: () => boolean): boolean {
    const { tracing, parent } = this;
    if (parent === null) return tracing.isSampled(this.traceId);
    // Ignore both the flag and the trace id of an untrusted client, which could use either to have every request
    // recorded.
    if (!isTrusted()) return tracing.isSampled(tracing.newTraceId());
    return tracing.isParentBased ? (parent.flags & SAMPLED) !== 0 : tracing.isSampled(parent.traceId);
  }
}
