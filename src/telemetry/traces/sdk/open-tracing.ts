import { diag, DiagLogLevel, ROOT_CONTEXT } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { waitAtMost } from '../../../base/awaitable.ts';
import type { FinishedSpan, SpanCounts, TraceSettings, Tracing } from '../tracing.ts';
import { BoundedExporter } from './bounded-exporter.ts';
import { openExporter } from './exporter.ts';
import { FailureLog } from './failure-log.ts';
import { RandomIds } from './random-ids.ts';
import { readableSpan } from './readable-span.ts';

/** The longest that a stop waits for the receiver: within what `Shutdown` has beyond the drain's deadline. */
const FLUSH_LIMIT_MS = 1000;
/** Added to the exporter's own timeout, so that this one says why it failed. */
const MARGIN_MS = 500;
/** Different messages of the SDK's that are logged. */
const MAX_SAID = 20;

/**
 * Exports spans with the OpenTelemetry SDK. Import this file only where that was asked for: it loads the SDK.
 *
 * @param version of the gateway
 */
export function openTracing(settings: TraceSettings, version: string, counts: SpanCounts, logger: Logger): Tracing {
  listenToSdk(logger);
  const log = new FailureLog(logger);
  const { exporter, disconnect } = openExporter(settings);
  const limitMs = settings.exportTimeoutMs + MARGIN_MS;
  const bounded = new BoundedExporter({ exporter, limitMs, counts, log });
  const processor = new BatchSpanProcessor({
    exporter: bounded,
    // The bound is kept below, where what is being sent counts too and what is dropped can be counted.
    maxQueueSize: settings.maxQueued,
    maxExportBatchSize: settings.maxBatch,
    scheduledDelayMillis: settings.delayMs,
    exportTimeoutMillis: limitMs + MARGIN_MS,
  });
  const origin = { resource: resourceOf(version), instrumentationScope: { name: 'tollgate', version } };
  const ids = new RandomIds();
  const sampler = new TraceIdRatioBasedSampler(settings.ratio);
  return {
    newTraceId: () => ids.generateTraceId(),
    newSpanId: () => ids.generateSpanId(),
    isSampled: (traceId) => sampler.shouldSample(ROOT_CONTEXT, traceId).decision !== SamplingDecision.NOT_RECORD,
    isParentBased: settings.isParentBased,
    record(span: FinishedSpan) {
      if (bounded.held >= settings.maxQueued) {
        counts.dropped();
        log.dropped();
        return;
      }
      bounded.held++;
      processor.onEnd(readableSpan(span, origin));
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

/** The SDK's own name, the gateway's, and what `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say in place of it. */
function resourceOf(version: string): Resource {
  const own = resourceFromAttributes({ 'service.name': 'tollgate', 'service.version': version });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** What the SDK has to say about its own configuration goes to the log, once each. */
function listenToSdk(logger: Logger): void {
  const said = new Set<string>();
  const tell = (message: string) => {
    if (said.has(message) || said.size >= MAX_SAID) return;
    said.add(message);
    logger.warn({ sdk: message }, 'OpenTelemetry');
  };
  const ignore = () => {};
  const sink = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(sink, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  // Exports that fail come here too. `FailureLog` has told of them already, without the receiver's answer.
  setGlobalErrorHandler(ignore);
}
