import { callErrors } from '../../src/domain/error-codes.ts';
import { expectThat } from './finding.ts';
import { valuesOf, type ParsedResponse } from './response-parser.ts';

/** Headers that only the gateway may send, once per response. */
const TRIO = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function describe({ status, headers, body, complete }: ParsedResponse): string {
  return JSON.stringify({ status, headers, body: body.slice(0, 200), complete });
}

/** The test's request id of a response; null if the gateway generated the id. */
export function requestIdOf(answer: ParsedResponse): string | null {
  const ids = valuesOf(answer.headers, 'x-request-id');
  expectThat(ids.length === 1, 'an answer without one request id', () => describe(answer));
  return UUID.test(ids[0]!) ? null : ids[0]!;
}

export function isClosing(answer: ParsedResponse): boolean {
  return answer.status === 101 || valuesOf(answer.headers, 'connection').some((value) => /\bclose\b/i.test(value));
}

/** Invariants of every response on the public listener, from the gateway or a service. */
export function checkAnswer(answer: ParsedResponse): void {
  for (const name of TRIO) {
    const values = valuesOf(answer.headers, name);
    expectThat(values.length === 1, 'an answer without the rate limit', () => describe(answer));
    expectThat(/^\d+$/.test(values[0]!), 'a rate limit that is not a number', () => describe(answer));
  }
  const forged = answer.trailers.find(([name]) => [...TRIO, 'x-request-id'].includes(name.toLowerCase()));
  expectThat(forged === undefined, 'a trailer that only the gateway may send', () => describe(answer));
}

/** Responses by the gateway itself must be complete errors in the documented format. */
export function checkRefusal(answer: ParsedResponse, hasBody: boolean): void {
  const type = valuesOf(answer.headers, 'content-type')[0];
  expectThat(type === 'application/json', 'a refusal that is not JSON', () => describe(answer));
  expectThat(answer.status !== 500, 'an internal error', () => describe(answer));
  if (!hasBody || !answer.complete) return;
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(answer.body) as Record<string, unknown>;
  } catch {
    expectThat(false, 'a refusal that cannot be read', () => describe(answer));
  }
  const known = Object.hasOwn(callErrors, String(body['code']));
  const isRight = known && body['status'] === answer.status && typeof body['message'] === 'string';
  expectThat(
    isRight && Object.keys(body).length === (body['code'] === 'validation_failed' ? 4 : 3),
    'a refusal of another form',
    () => describe(answer),
  );
}
