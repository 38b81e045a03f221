import { parseError } from './error.ts';
import { fetchWithin, jsonIn, REQUEST_TIMEOUT_MS } from './fetch.ts';

/**
 * A change to send. The `curl` line on the page is made from the same object, so that the two cannot differ. `Answer`
 * is the type of the response body.
 */
export interface Change<Content = unknown> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the URL of the API, with each segment percent-encoded. */
  readonly path: string;
  readonly body?: object;
  /** The reason for the audit log, unless the body contains it. */
  readonly reason?: string;
  /** The version to which the change applies, as an ETag. For another version, the response is 412. */
  readonly ifMatch?: string;
  /** Time limit for the response, if it is longer than usual. */
  readonly timeoutMs?: number;
  /** Has no value. It carries the type of the response body. */
  readonly answers?: Content;
}

/**
 * @param apiUrl the URL of the API, without a slash at its end
 * @throws ApiError
 */
export async function sendTo<Content>(apiUrl: string, change: Change<Content>): Promise<Content> {
  const { method, path, body, timeoutMs = REQUEST_TIMEOUT_MS } = change;
  const headers = Object.entries(createHeaders(change)).map(([name, value]): [string, string] => [
    name,
    byteString(value),
  ]);
  const response = await fetchWithin(
    timeoutMs,
    new Request(apiUrl + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  );
  const text = await response.text();
  const received = jsonIn(text);
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

/** The UTF-8 bytes of a text in the form of a header value, one character per byte. */
function byteString(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
