import type { Registry } from 'prom-client';
import { type Count, CounterTally } from './tally.ts';

/** Counts spans by outcome. */
export class TraceMetrics {
  readonly #exported: Count;
  readonly #failed: Count;
  readonly #dropped: Count;

  constructor(registry: Registry) {
    const spans = new CounterTally(registry, 'tollgate_trace_spans_total', 'Spans, by outcome.', ['outcome']);
    // Create the counters now, so that the first loss shows as an increase from 0 and not as a new series.
    this.#exported = spans.child('exported');
    this.#failed = spans.child('failed');
    this.#dropped = spans.child('dropped');
  }

  exported(spans: number): void {
    this.#exported.value += spans;
  }

  /** Counts spans that the receiver did not accept. */
  failed(spans: number): void {
    this.#failed.value += spans;
  }

  /** Counts a span that was dropped because the queue was full. */
  dropped(): void {
    this.#dropped.value++;
  }
}
