/** The tracing that the gateway needs. Implemented by `sdk/`, which is loaded only where traces are exported. */

export interface TraceConfig {
  /** Where spans are sent. May hold credentials: not for the log. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** For traces that begin here: 0 to 1. */
  readonly ratio: number;
  /** Whether the flag of a trusted parent decides, and not the ratio. */
  readonly isParentBased: boolean;
  /** Spans that wait or are being sent; further ones are dropped. */
  readonly maxQueued: number;
  readonly maxBatch: number;
  /** How long spans wait for a batch to fill. */
  readonly delayMs: number;
  /** The longest that one batch is tried, with all repeats. */
  readonly exportTimeoutMs: number;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span, once it is over. */
export interface FinishedSpan {
  readonly kind: 'server' | 'client';
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null: the root of its trace. */
  readonly parentSpanId: string | null;
  /** The parent is another process's. */
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
  /** Whether the ratio selects this trace; the same for the same id. */
  isSampled(traceId: string): boolean;
  readonly isParentBased: boolean;
  /** Queues a span to be sent. Never throws and never waits: if the queue is full, the span is dropped and counted. */
  record(span: FinishedSpan): void;
  /** Sends queued spans, for at most a second. Never rejects. */
  close(): Promise<void>;
}

/** For the upstream of a sampled request: spans of the attempts to call it. */
export interface UpstreamTrace {
  /**
   * Begins the span of one attempt, and names it as the parent in the headers that are sent.
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
