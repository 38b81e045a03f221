import type { Call } from '../call/call.ts';
import { serviceHeaders } from '../call/service-headers.ts';
import type { Operation } from '../model/operation.ts';

/**
 * Creates headers with placeholders for the credentials of the service. They are those of the first alternative, unless
 * one of the alternatives requires none.
 *
 * @param given the headers of the call, because a document may also list such a header as a parameter
 */
export function credentialHeaders(
  alternatives: Operation['serviceCredentials'],
  given: Call['headers'],
): Call['headers'] {
  if (alternatives.some((each) => each.length === 0)) return [];
  return serviceHeaders(alternatives)
    .map(({ name, scheme }) => [name, scheme === undefined ? '<KEY>' : `${scheme} <TOKEN>`] as const)
    .filter(([name]) => !given.some(([other]) => other.toLowerCase() === name.toLowerCase()));
}
