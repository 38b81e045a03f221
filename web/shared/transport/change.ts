import { parseError } from './error.ts';
import { fetchWithin, parseJsonIfValid, REQUEST_TIMEOUT_MS } from './fetch.ts';

/**
 * A request that changes something. The page makes the `curl` line that it shows from the same object, so that the two
 * cannot differ. `Content` is the type of the response body.
 */
export interface Change<Content = unknown> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the URL of the API. Each segment is percent-encoded. */
  readonly path: string;
  readonly body?: object;
  /** The reason for the audit log, unless it is in the body. */
  readonly reason?: string;
  /** The ETag of the version that the user saw. If it is no longer the current one, the API responds with 412. */
  readonly ifMatch?: string;
  /** The time limit for the response, if it is longer than usual. */
  readonly timeoutMs?: number;
  /** Never has a value. It only carries the type of the response body. */
  readonly answers?: Content;
}

/**
 * @param apiUrl the URL of the API, without a slash at its end
 * @throws ApiError
 */
export async function sendChange<Content>(apiUrl: string, change: Change<Content>): Promise<Content> {
  const { method, path, body, timeoutMs = REQUEST_TIMEOUT_MS } = change;
  const headers = Object.entries(createHeaders(change)).map(([name, value]): [string, string] => [
    name,
    toByteString(value),
  ]);
  const response = await fetchWithin(
    timeoutMs,
    new Request(apiUrl + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  );
  const text = await response.text();
  const received = parseJsonIfValid(text);
  if (!response.ok) throw parseError(response.status, received);
  return received as Content;
}

export function createHeaders({ body, reason, ifMatch }: Change): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(reason === undefined || reason === '' ? {} : { 'X-Change-Reason': reason }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  };
}

/** Encodes a text as UTF-8 with one character for each byte, because header values cannot contain other characters. */
function toByteString(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
