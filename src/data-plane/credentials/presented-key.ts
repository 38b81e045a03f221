import type { ForeignKeyFormat } from '../../domain/key-format.ts';

/**
 * Reads the API key of a request: `X-API-Key`, or `Authorization: Bearer tg_…`. Any other `Authorization` is meant for
 * the upstream. Takes the raw headers, because only they show that a header was sent twice.
 *
 * @returns null if no key was sent or the key is empty; AMBIGUOUS if a header was sent twice, or two different keys were
 * sent
 */
export function readPresentedKey(rawHeaders: readonly string[]): string | typeof AMBIGUOUS | null {
  let apiKey: string | undefined;
  let bearer: string | undefined;
  let authorizationCount = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first rules out most headers.
    if (name.length === API_KEY_HEADER.length && name.toLowerCase() === API_KEY_HEADER) {
      if (apiKey !== undefined) return AMBIGUOUS;
      apiKey = rawHeaders[index + 1] ?? '';
    } else if (name.length === AUTHORIZATION_HEADER.length && name.toLowerCase() === AUTHORIZATION_HEADER) {
      const token = BEARER_KEY.exec(rawHeaders[index + 1] ?? '')?.[1];
      if (authorizationCount++ > 0 && (token ?? bearer) !== undefined) return AMBIGUOUS;
      bearer = token;
    }
  }
  if (!apiKey) return bearer ?? null;
  return bearer === undefined || bearer === apiKey ? apiKey : AMBIGUOUS;
}

/** Lists the names of all headers that keys are read from. */
export function listKeyHeaders(foreignKeys: readonly ForeignKeyFormat[]): string[] {
  return ['X-API-Key', 'Authorization', ...foreignKeys.map(({ header }) => header)];
}

/** Lists the names of the headers that no service receives, because any of their values may be a key. */
export function listKeyOnlyHeaders(foreignKeys: readonly ForeignKeyFormat[]): string[] {
  return foreignKeys.flatMap(({ header, prefix }) => (prefix === undefined ? header : []));
}

export const AMBIGUOUS = Symbol('more than one key');
const API_KEY_HEADER = 'x-api-key';
const AUTHORIZATION_HEADER = 'authorization';
export const BEARER_KEY = /^bearer +(tg_\S*)\s*$/i;
