/** Parses and formats the headers of W3C Trace Context (https://www.w3.org/TR/trace-context-2/) without an SDK. */

/** The span that caused a request, from its `traceparent`. Ids are lowercase hex. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The flags as received. Undefined bits may be set. */
  readonly flags: number;
}

export const SAMPLED = 0x01;
/** The flag for a random trace id. It is passed on together with the id. */
const RANDOM = 0x02;

/**
 * Matches a valid `traceparent`. Version `ff` and ids of zeros are invalid. Later versions may have further fields
 * after another dash.
 */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const VERSION_0_LENGTH = 55;

function isValid(header: string): boolean {
  return TRACEPARENT.test(header) && (header.length === VERSION_0_LENGTH || !header.startsWith('00'));
}

/** @returns null if the header is invalid; the caller then starts a new trace */
export function parseTraceparent(header: string): TraceContext | null {
  if (!isValid(header)) return null;
  return {
    traceId: header.slice(3, 35),
    spanId: header.slice(36, 52),
    flags: Number.parseInt(header.slice(53, 55), 16),
  };
}

/** Extracts the trace id from the header; undefined if there is no valid header. */
export function readTraceId(header: string | undefined): string | undefined {
  return header !== undefined && isValid(header) ? header.slice(3, 35) : undefined;
}

/**
 * Formats a `traceparent` of version 00.
 *
 * @param parentFlags the flags of the parent; 0 if there is none
 */
export function formatTraceparent(traceId: string, spanId: string, isSampled: boolean, parentFlags: number): string {
  const flags = (parentFlags & RANDOM) | (isSampled ? SAMPLED : 0);
  return `00-${traceId}-${spanId}-0${flags}`;
}

/**
 * Sets `traceparent`, in place of any other `traceparent`.
 *
 * @param headers alternating names and values, changed in place
 * @param keepsState if false, `tracestate` is removed as well, because it is meaningless without its original
 *   `traceparent`
 */
export function setTraceparent(headers: string[], traceparent: string, keepsState: boolean): void {
  let kept = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (isReplaced(name, keepsState)) continue;
    // Most requests have nothing to remove, so nothing is moved.
    if (kept !== index) {
      headers[kept] = name;
      headers[kept + 1] = headers[index + 1] as string;
    }
    kept += 2;
  }
  // Set the length only if it changes, because setting it costs more than the whole loop.
  if (kept < headers.length) headers.length = kept;
  headers.push('traceparent', traceparent);
}

function isReplaced(name: string, keepsState: boolean): boolean {
  // Compare the length first, because it rules out nearly all names.
  if (name.length === 11) return name.toLowerCase() === 'traceparent';
  return name.length === 10 && !keepsState && name.toLowerCase() === 'tracestate';
}
