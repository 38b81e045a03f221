import type { Call } from '../call/call.ts';

export interface SampledCall extends Call {
  /** Where the API is, without a slash at the end. */
  readonly apiUrl: string;
  readonly needsKey: boolean;
}

/** Where samples take the key from, so that it is in no source code. */
export const KEY_VARIABLE = 'API_KEY';
export const KEY_HEADER = 'X-API-Key';

/** A text as a literal of JavaScript and Python: in single quotes if that needs no escapes. */
export function literal(text: string): string {
  return /^[^'\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** JSON without the space between its parts; numbers and strings stay as they were written. */
export function compactJson(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
}

/** What samples send besides the key. */
export function sampledHeaders({ headers, cookie }: Call): Call['headers'] {
  return cookie === null ? headers : [...headers, ['Cookie', cookie]];
}

/** The body in samples: JSON on one line, anything else unchanged. */
export function sampledBody({ body, headers }: Call): string | null {
  const isJson = headers.some(([name, value]) => name === 'Content-Type' && value.includes('json'));
  return body !== null && isJson ? compactJson(body) : body;
}
