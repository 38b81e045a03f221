/** The interface of tracing. It is implemented in `sdk/`, which is loaded only if traces are exported. */

export interface TraceConfig {
  /** Where spans are sent. The URL may contain credentials: do not log it. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The share of traces beginning here that is sampled, from 0 to 1. */
  readonly ratio: number;
  /** Whether the flag of a trusted parent decides about sampling instead of the ratio. */
  readonly isParentBased: boolean;
  /** Maximum number of spans that are queued or being sent. Further spans are dropped. */
  readonly maxQueued: number;
  readonly maxBatch: number;
  /** Maximum time that spans wait for a batch to fill. */
  readonly delayMs: number;
  /** Maximum time to send one batch, including retries. */
  readonly exportTimeoutMs: number;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that has ended. */
export interface FinishedSpan {
  readonly kind: 'server' | 'client';
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the root of a trace. */
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
  /** Whether the ratio selects this trace. The result for an id is always the same. */
  isSampled(traceId: string): boolean;
  readonly isParentBased: boolean;
  /** Queues a span for sending. Never throws or blocks: if the queue is full, the span is dropped and counted. */
  record(span: FinishedSpan): void;
  /** Sends queued spans, for at most a second. Never rejects. */
  close(): Promise<void>;
}

/** Records the upstream's part of a sampled request: one span per attempt to call the upstream. */
export interface UpstreamTrace {
  /**
   * Begins the span of one attempt, and sets it as the parent in the headers that are sent.
   *
   * @param target the URL of the server
   * @param headers alternating names and values, changed in place
   */
  attempt(target: string, headers: string[]): AttemptSpan;
}

export interface AttemptSpan {
  /**
   * @param status the status of the response; 0 if there was none
   * @param failure the reason why there was no complete response, or null
   */
  end(status: number, failure: string | null): void;
}
