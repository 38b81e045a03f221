import type { Call } from '../call/call.ts';
import type { Operation } from '../model/operation.ts';

/** Headers with the credentials of the service itself, as placeholders: the first alternative, unless there may be none. */
export function credentialHeaders(alternatives: Operation['serviceCredentials']): Call['headers'] {
  const [first] = alternatives;
  if (first === undefined || alternatives.some((each) => each.length === 0)) return [];
  return first
    .filter(({ place, sentAs }) => place === 'header' && sentAs !== '')
    .map(({ sentAs }) => {
      const [name = '', scheme] = sentAs.split(': ');
      return [name, scheme === undefined ? '<KEY>' : `${scheme} <TOKEN>`];
    });
}
