import type { Call } from '../call/call.ts';
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
  const [first] = alternatives;
  if (first === undefined || alternatives.some((each) => each.length === 0)) return [];
  return first
    .filter(({ place, sentAs }) => place === 'header' && sentAs !== '')
    .map(({ sentAs }) => {
      const [name = '', scheme] = sentAs.split(': ');
      return [name, scheme === undefined ? '<KEY>' : `${scheme} <TOKEN>`] as const;
    })
    .filter(([name]) => !given.some(([other]) => other.toLowerCase() === name.toLowerCase()));
}
