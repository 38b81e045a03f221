import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Agent } from 'node:http';
import type { Logger } from 'pino';
import type { TraceConfig } from '../tracing.ts';
import type { TraceMetrics } from '../../metrics/trace-metrics.ts';

const FORMATS = {
  'http/protobuf': { serializer: ProtobufTraceSerializer, contentType: 'application/x-protobuf' },
  'http/json': { serializer: JsonTraceSerializer, contentType: 'application/json' },
};

interface OpenExporter {
  readonly exporter: SpanExporter;
  /** Closes all connections, even while responses are pending, and prevents new ones. */
  readonly disconnect: () => void;
}

/**
 * Creates an exporter for OTLP over HTTP. The SDK itself reads other settings (headers, compression, certificates) from
 * the environment. The SDK has a separate package for each format, with almost the same content. Building the exporter
 * here from common parts makes these packages unnecessary.
 */
export function openExporter({ url, protocol, exportTimeoutMs }: TraceConfig): OpenExporter {
  const { serializer, contentType } = FORMATS[protocol];
  const exporterOptions = { url, timeoutMillis: exportTimeoutMs };
  const options = convertLegacyHttpOptions(exporterOptions, 'TRACES', 'v1/traces', { 'Content-Type': contentType });
  let agent: Agent | null = null;
  let isOpen = true;
  // Every attempt needs headers, even a retry by the SDK, so throwing here also prevents retries.
  const headers = async () => {
    if (!isOpen) throw new Error('the gateway has stopped');
    return options.headers();
  };
  const agentFactory = async (scheme: string) => (agent = await options.agentFactory(scheme));
  const delegate = createOtlpHttpExportDelegate(
    { ...options, headers, agentFactory },
    serializer,
    `otlp_${protocol.replace('/', '_')}_span_exporter`,
    TraceExporterMetricsHelper,
    undefined,
  );
  return {
    exporter: new OTLPExporterBase<ReadableSpan[]>(delegate),
    disconnect() {
      isOpen = false;
      agent?.destroy();
    },
  };
}

interface BoundedExporterOptions {
  /** Sends the spans. */
  readonly exporter: SpanExporter;
  /**
   * Maximum time of an export. The exporter's own timeout only limits periods of silence, so a response that trickles
   * in could take forever.
   */
  readonly limitMs: number;
  readonly counts: TraceMetrics;
  readonly log: FailureLog;
}

/** Sends spans within a time limit, and counts the outcomes. */
export class BoundedExporter implements SpanExporter {
  readonly #options: BoundedExporterOptions;
  readonly #running = new Set<(result: ExportResult) => void>();
  /** Number of spans that were recorded but not yet sent or lost. */
  held = 0;

  constructor(options: BoundedExporterOptions) {
    this.#options = options;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const { exporter, limitMs } = this.#options;
    const finish = (result: ExportResult) => {
      if (!this.#running.delete(finish)) return;
      clearTimeout(timer);
      this.#count(spans.length, result);
      done(result);
    };
    const timer = setTimeout(() => finish(createFailure('no complete response in time')), limitMs);
    this.#running.add(finish);
    try {
      exporter.export(spans, finish);
    } catch (error) {
      finish({ code: ExportResultCode.FAILED, error: error as Error });
    }
  }

  forceFlush(): Promise<void> {
    return Promise.resolve(this.#options.exporter.forceFlush?.());
  }

  shutdown(): Promise<void> {
    return this.#options.exporter.shutdown();
  }

  /** Gives up all running exports. */
  abort(): void {
    for (const finish of this.#running) finish(createFailure('the gateway has stopped'));
  }

  #count(spans: number, { code, error }: ExportResult): void {
    const { counts, log } = this.#options;
    this.held -= spans;
    if (code === ExportResultCode.SUCCESS) {
      counts.exported(spans);
      log.sent();
    } else {
      counts.failed(spans);
      log.failed(error);
    }
  }
}

function createFailure(message: string): ExportResult {
  return { code: ExportResultCode.FAILED, error: new Error(message) };
}

/** Logs why spans are lost, once per reason, and logs when spans can be sent again. */
export class FailureLog {
  readonly #logger: Logger;
  #cause: string | null = null;
  #isDropping = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  failed(error: Error | undefined): void {
    // Do not log the SDK's error itself, because it contains the receiver's response, which may have any length.
    const reason = describeReason(error);
    if (reason === this.#cause) return;
    this.#cause = reason;
    this.#logger.warn({ reason }, 'traces could not be sent; their spans are lost');
  }

  dropped(): void {
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#logger.warn('spans are dropped because there are more than can be sent');
  }

  sent(): void {
    if (this.#cause !== null) this.#logger.info('traces can be sent again');
    this.#cause = null;
    this.#isDropping = false;
  }
}

/** Describes an error by the HTTP status, the code of a system error, or its message. */
function describeReason(error: Error | undefined): string {
  const { code, message } = (error ?? {}) as { readonly code?: string | number; readonly message?: string };
  if (typeof code === 'number') return `HTTP ${code}`;
  return code ?? message ?? 'unknown';
}
