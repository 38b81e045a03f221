import { callErrors } from '../../src/domain/error-codes.ts';
import { expectThat } from './finding.ts';
import { findValues, type ParsedResponse } from './response-parser.ts';

/** Headers that only the gateway may send, and only once in each response. */
const TRIO = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function describe({ status, headers, body, complete }: ParsedResponse): string {
  return JSON.stringify({ status, headers, body: body.slice(0, 200), complete });
}

/** Finds the request id that the test gave to a response's request. Null if the gateway generated the id. */
export function findRequestId(response: ParsedResponse): string | null {
  const ids = findValues(response.headers, 'x-request-id');
  expectThat(ids.length === 1, 'an answer without one request id', () => describe(response));
  return UUID.test(ids[0]!) ? null : ids[0]!;
}

export function isClosing(response: ParsedResponse): boolean {
  return (
    response.status === 101 || findValues(response.headers, 'connection').some((value) => /\bclose\b/i.test(value))
  );
}

/** Checks the invariants of every response on the public listener, whether it is from the gateway or from a service. */
export function checkResponse(response: ParsedResponse): void {
  for (const name of TRIO) {
    const values = findValues(response.headers, name);
    expectThat(values.length === 1, 'an answer without the rate limit', () => describe(response));
    expectThat(/^\d+$/.test(values[0]!), 'a rate limit that is not a number', () => describe(response));
  }
  const forged = response.trailers.find(([name]) => [...TRIO, 'x-request-id'].includes(name.toLowerCase()));
  expectThat(forged === undefined, 'a trailer that only the gateway may send', () => describe(response));
}

/** Checks a response by the gateway itself. It must be a complete error in the documented format. */
export function checkRefusal(response: ParsedResponse, hasBody: boolean): void {
  const type = findValues(response.headers, 'content-type')[0];
  expectThat(type === 'application/json', 'a refusal that is not JSON', () => describe(response));
  expectThat(response.status !== 500, 'an internal error', () => describe(response));
  if (!hasBody || !response.complete) return;
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(response.body) as Record<string, unknown>;
  } catch {
    expectThat(false, 'a refusal that cannot be read', () => describe(response));
  }
  const known = Object.hasOwn(callErrors, String(body['code']));
  const isRight = known && body['status'] === response.status && typeof body['message'] === 'string';
  expectThat(
    isRight && Object.keys(body).length === (body['code'] === 'validation_failed' ? 4 : 3),
    'a refusal of another form',
    () => describe(response),
  );
}
