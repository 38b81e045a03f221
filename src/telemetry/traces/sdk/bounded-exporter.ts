import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { SpanCounts } from '../tracing.ts';
import type { FailureLog } from './failure-log.ts';

export interface BoundedExporterSettings {
  /** Sends the spans. */
  readonly exporter: SpanExporter;
  /** The exporter's own timeout is of silence: an answer that dribbles in would never end. */
  readonly limitMs: number;
  readonly counts: SpanCounts;
  readonly log: FailureLog;
}

/** Sends spans, within a time, and counts what becomes of them. */
export class BoundedExporter implements SpanExporter {
  readonly #settings: BoundedExporterSettings;
  readonly #running = new Set<(result: ExportResult) => void>();
  /** Spans that were recorded and are neither sent nor given up. */
  held = 0;

  constructor(settings: BoundedExporterSettings) {
    this.#settings = settings;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const { exporter, limitMs } = this.#settings;
    const finish = (result: ExportResult) => {
      if (!this.#running.delete(finish)) return;
      clearTimeout(timer);
      this.#count(spans.length, result);
      done(result);
    };
    const timer = setTimeout(() => finish(failure('no complete answer in time')), limitMs);
    this.#running.add(finish);
    try {
      exporter.export(spans, finish);
    } catch (error) {
      finish({ code: ExportResultCode.FAILED, error: error as Error });
    }
  }

  forceFlush(): Promise<void> {
    return Promise.resolve(this.#settings.exporter.forceFlush?.());
  }

  shutdown(): Promise<void> {
    return this.#settings.exporter.shutdown();
  }

  /** Gives up what is being sent. */
  abort(): void {
    for (const finish of this.#running) finish(failure('the gateway has stopped'));
  }

  #count(spans: number, { code, error }: ExportResult): void {
    const { counts, log } = this.#settings;
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

function failure(message: string): ExportResult {
  return { code: ExportResultCode.FAILED, error: new Error(message) };
}
