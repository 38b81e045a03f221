import {
  createTraceState,
  type HrTime,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { FinishedSpan } from '../tracing.ts';

/** What all spans of a gateway have in common. */
export type SpanOrigin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

/**
 * The SDK's form of a span. Made when the span is over, and not by a tracer when it begins: nothing of the SDK is on
 * the path of a request.
 */
export function readableSpan(span: FinishedSpan, origin: SpanOrigin): ReadableSpan {
  const { traceId, parentSpanId, isParentRemote, startMs, endMs } = span;
  const shared = {
    traceId,
    traceFlags: TraceFlags.SAMPLED,
    ...(span.traceState === undefined ? {} : { traceState: createTraceState(span.traceState) }),
  };
  const context: SpanContext = { ...shared, spanId: span.spanId };
  return {
    name: span.name,
    kind: span.kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
    spanContext: () => context,
    ...(parentSpanId === null
      ? {}
      : { parentSpanContext: { ...shared, spanId: parentSpanId, isRemote: isParentRemote } }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    ...origin,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}
