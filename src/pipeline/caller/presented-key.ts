/**
 * Reads the API key of a request: `X-API-Key`, or `Authorization: Bearer tg_…`. Any other `Authorization` is the
 * upstream's. From the raw headers, where a header that was sent twice still shows.
 *
 * @returns the key; null where none was sent, or an empty one; AMBIGUOUS for a header sent twice or two keys that differ
 */
export function presentedKey(rawHeaders: readonly string[]): string | typeof AMBIGUOUS | null {
  let apiKey: string | undefined;
  let bearer: string | undefined;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Most headers are told apart by their length alone.
    if (name.length === API_KEY.length && name.toLowerCase() === API_KEY) {
      if (apiKey !== undefined) return AMBIGUOUS;
      apiKey = rawHeaders[index + 1] ?? '';
    } else if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) {
      const token = BEARER_KEY.exec(rawHeaders[index + 1] ?? '')?.[1];
      if (authorizations++ > 0 && (token ?? bearer) !== undefined) return AMBIGUOUS;
      bearer = token;
    }
  }
  if (!apiKey) return bearer ?? null;
  return bearer === undefined || bearer === apiKey ? apiKey : AMBIGUOUS;
}

export const AMBIGUOUS = Symbol('more than one key');
const API_KEY = 'x-api-key';
const AUTHORIZATION = 'authorization';
export const BEARER_KEY = /^bearer +(tg_\S*)\s*$/i;
