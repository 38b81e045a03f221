import type { Call } from '../call/call.ts';
import { serviceHeaders } from '../call/service-headers.ts';
import type { Operation } from '../model/operation.ts';

/**
 * Headers with the credentials of the service itself, as placeholders: the first alternative, unless there may be none.
 *
 * @param given the call's own headers: a document may list one as a parameter, too
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
