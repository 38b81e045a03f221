/** The tracing that the gateway needs. It is implemented in `sdk/`, which is loaded only if traces are exported. */

export interface TraceConfig {
  /** Where spans are sent. The URL may contain credentials: do not log it. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The share of traces that begin here and are sampled: 0 to 1. */
  readonly ratio: number;
  /** Whether the flag of a trusted parent decides instead of the ratio. */
  readonly isParentBased: boolean;
  /** Maximum number of spans that wait or are being sent. Further spans are dropped. */
  readonly maxQueued: number;
  readonly maxBatch: number;
  /** How long spans wait for a batch to fill. */
  readonly delayMs: number;
  /** Maximum time to send one batch, including all repeats. */
  readonly exportTimeoutMs: number;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that is over. */
export interface FinishedSpan {
  readonly kind: 'server' | 'client';
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null: the root of its trace. */
  readonly parentSpanId: string | null;
  /** Whether the parent is a span of another process. */
  readonly isParentRemote: boolean;
  /** The parent's `tracestate`. */
  readonly traceState: string | undefined;
  /** ms since the Unix epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
}

export interface Tracing {
  newTraceId(): string;
  newSpanId(): string;
  /** Whether the ratio selects this trace. The answer for an id is always the same. */
  isSampled(traceId: string): boolean;
  readonly isParentBased: boolean;
  /** Queues a span to be sent. Never throws and never waits: if the queue is full, the span is dropped and counted. */
  record(span: FinishedSpan): void;
  /** Sends queued spans, for at most a second. Never rejects. */
  close(): Promise<void>;
}

/** The trace of a sampled request for its upstream: one span per attempt to call the upstream. */
export interface UpstreamTrace {
  /**
   * Begins the span of one attempt, and makes it the parent in the headers that are sent.
   *
   * @param target URL of the server
   * @param headers flat pairs, changed in place
   */
  attempt(target: string, headers: string[]): AttemptSpan;
}

export interface AttemptSpan {
  /**
   * @param status 0: no response
   * @param failure why there was no complete response, or null
   */
  end(status: number, failure: string | null): void;
}
