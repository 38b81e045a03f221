import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  createTraceState,
  type HrTime,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type IdGenerator,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { waitAtMost } from '../../../base/awaitable.ts';
import { VERSION } from '../../../base/version.ts';
import type { FinishedSpan, TraceConfig, Tracing } from '../tracing.ts';
import type { TraceMetrics } from '../../metrics/trace-metrics.ts';
import { BoundedExporter, openExporter, FailureLog } from './span-exporter.ts';

/**
 * Maximum time that closing waits for the last export. It must fit into the time that `Shutdown` allows after the
 * deadline of the drain.
 */
const FLUSH_LIMIT_MS = 1000;
/** Margin of an outer timeout over an inner one, so that the inner one fires first and gives the reason. */
const MARGIN_MS = 500;
/** Maximum number of different SDK messages that are logged. */
const MAX_LOGGED = 20;

/** Exports spans with the OpenTelemetry SDK. Import this file only if traces are on, because it loads the SDK. */
export function openTracing(config: TraceConfig, counts: TraceMetrics, logger: Logger): Tracing {
  listenToSdk(logger);
  const log = new FailureLog(logger);
  const { exporter, disconnect } = openExporter(config);
  const limitMs = config.exportTimeoutMs + MARGIN_MS;
  const bounded = new BoundedExporter({ exporter, limitMs, counts, log });
  const processor = new BatchSpanProcessor({
    exporter: bounded,
    // The SDK never reaches this limit, because `record` applies it first. There, spans being sent count too, and
    // dropped spans are counted.
    maxQueueSize: config.maxQueued,
    maxExportBatchSize: config.maxBatch,
    scheduledDelayMillis: config.delayMs,
    exportTimeoutMillis: limitMs + MARGIN_MS,
  });
  const origin = { resource: createResource(VERSION), instrumentationScope: { name: 'tollgate', version: VERSION } };
  const ids = new RandomIds();
  const { url, ratio, isParentBased } = config;
  const sampler = new TraceIdRatioBasedSampler(ratio);
  logger.info({ receiver: new URL(url).origin, ratio, isParentBased }, 'traces are exported');
  return {
    newTraceId: () => ids.generateTraceId(),
    newSpanId: () => ids.generateSpanId(),
    isSampled: (traceId) => sampler.shouldSample(ROOT_CONTEXT, traceId).decision !== SamplingDecision.NOT_RECORD,
    isParentBased,
    record(span: FinishedSpan) {
      if (bounded.held >= config.maxQueued) {
        counts.dropped();
        log.dropped();
        return;
      }
      bounded.held++;
      processor.onEnd(toReadableSpan(span, origin));
    },
    async close() {
      await waitAtMost(
        FLUSH_LIMIT_MS,
        processor.shutdown().catch(() => {}),
      );
      bounded.abort();
      disconnect();
      diag.disable();
    },
  };
}

/**
 * Merges the attributes of the SDK, those of the gateway, and those in `OTEL_SERVICE_NAME` and
 * `OTEL_RESOURCE_ATTRIBUTES`. The variables take precedence.
 */
function createResource(version: string): Resource {
  const own = resourceFromAttributes({ 'service.name': 'tollgate', 'service.version': version });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Logs each of the SDK's messages about its configuration once. */
function listenToSdk(logger: Logger): void {
  const logged = new Set<string>();
  const logOnce = (message: string) => {
    if (logged.has(message) || logged.size >= MAX_LOGGED) return;
    logged.add(message);
    logger.warn({ sdk: message }, 'OpenTelemetry SDK warning');
  };
  const ignore = () => {};
  const sink = { error: logOnce, warn: logOnce, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(sink, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  // Ignore failed exports, which are also reported here, because `FailureLog` already logs them.
  setGlobalErrorHandler(ignore);
}

const POOL_BYTES = 4096;
/** Lengths of ids in hexadecimal digits. */
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;

/**
 * Creates random ids from a pool of random digits. Ids must be very cheap, because nearly every request needs two, and
 * few are ever sent. (An id of zeros would be invalid, but is too unlikely to handle.)
 */
export class RandomIds implements IdGenerator {
  #pool = '';
  #used = 0;

  generateTraceId(): string {
    return this.#take(TRACE_ID_LENGTH);
  }

  generateSpanId(): string {
    return this.#take(SPAN_ID_LENGTH);
  }

  #take(length: number): string {
    if (this.#used + length > this.#pool.length) {
      this.#pool = randomBytes(POOL_BYTES).toString('hex');
      this.#used = 0;
    }
    return this.#pool.slice(this.#used, (this.#used += length));
  }
}

/** The parts that all spans of a gateway share. */
export type SpanOrigin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

/**
 * Converts a span to the SDK's type. This happens after the span has ended, so that no code of the SDK runs during a
 * request.
 */
function toReadableSpan(span: FinishedSpan, origin: SpanOrigin): ReadableSpan {
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
    startTime: toHrTime(startMs),
    endTime: toHrTime(endMs),
    duration: toHrTime(endMs - startMs),
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

/** Converts milliseconds to seconds and nanoseconds. */
function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}
