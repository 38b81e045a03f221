/** The headers of W3C Trace Context (https://www.w3.org/TR/trace-context-2/), without any SDK. */

/** The span that caused a request, as in `traceparent`. Ids are lowercase hex. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The flags as sent. Undefined bits may be set. */
  readonly flags: number;
}

export const SAMPLED = 0x01;
/** The flag says that the trace id is random. It is passed on because it is a statement about the id. */
const RANDOM = 0x02;

/** Version `ff` and ids of zeros are invalid. Later versions may have more fields after another dash. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const VERSION_0_LENGTH = 55;

function isValid(header: string): boolean {
  return TRACEPARENT.test(header) && (header.length === VERSION_0_LENGTH || !header.startsWith('00'));
}

/** @returns null if the header is invalid; the caller then begins a new trace */
export function parseTraceparent(header: string): TraceContext | null {
  if (!isValid(header)) return null;
  return {
    traceId: header.slice(3, 35),
    spanId: header.slice(36, 52),
    flags: Number.parseInt(header.slice(53, 55), 16),
  };
}

/** The trace id in the header; undefined if there is no valid header. */
export function readTraceId(header: string | undefined): string | undefined {
  return header !== undefined && isValid(header) ? header.slice(3, 35) : undefined;
}

/**
 * A `traceparent` of version 00.
 *
 * @param parentFlags flags of the continued context; 0: none
 */
export function formatTraceparent(traceId: string, spanId: string, isSampled: boolean, parentFlags: number): string {
  const flags = (parentFlags & RANDOM) | (isSampled ? SAMPLED : 0);
  return `00-${traceId}-${spanId}-0${flags}`;
}

/**
 * Sets `traceparent` and removes any other `traceparent`.
 *
 * @param headers flat `name, value` pairs
 * @param keepsState false: also removes `tracestate`, because it means nothing without its original `traceparent`
 */
export function setTraceparent(headers: string[], traceparent: string, keepsState: boolean): void {
  let kept = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (isReplaced(name, keepsState)) continue;
    // Most requests have nothing to remove, and then nothing moves.
    if (kept !== index) {
      headers[kept] = name;
      headers[kept + 1] = headers[index + 1] as string;
    }
    kept += 2;
  }
  // Setting a length costs more than the whole search, even if the length stays the same.
  if (kept < headers.length) headers.length = kept;
  headers.push('traceparent', traceparent);
}

function isReplaced(name: string, keepsState: boolean): boolean {
  // The length rules out nearly all names.
  if (name.length === 11) return name.toLowerCase() === 'traceparent';
  return name.length === 10 && !keepsState && name.toLowerCase() === 'tracestate';
}
