import { prettyJson } from '../../../shared/format/pretty-json.ts';
import type { BodyPart } from '../call/body.ts';
import type { Call } from '../call/call.ts';

export interface SampledCall extends Call {
  /** Where the API is, without a slash at the end. */
  readonly apiUrl: string;
  readonly needsKey: boolean;
}

/** Where samples take the key from, so that it is in no source code. */
export const KEY_VARIABLE = 'API_KEY';
export const KEY_HEADER = 'X-API-Key';

/** A text as a literal of JavaScript, Python and Ruby: in single quotes if that needs no escapes. */
export function literal(text: string): string {
  return /^[^'\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The headers that samples send besides the key. */
export function sampledHeaders({ headers, cookie }: Call): Call['headers'] {
  return cookie === null ? headers : [...headers, ['Cookie', cookie]];
}

/** JSON is indented; numbers keep their digits. */
export function sampledText(text: string, { headers }: Call): string {
  return isJsonCall(headers) ? prettyJson(text) : text;
}

export function isJsonCall(headers: Call['headers']): boolean {
  return headers.some(([name, value]) => name === 'Content-Type' && value.includes('json'));
}

/** The fields of a form as a body. */
export function encodedForm(fields: readonly (readonly [string, string])[]): string {
  return fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Whether several fields or parts have the same name. */
export function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** A part's media type; files have one in any case. */
export function typeOfPart({ isFile, type }: BodyPart): string | null {
  return type ?? (isFile ? 'application/octet-stream' : null);
}

/** Indents each line, as a part of a longer sample. */
export function indented(lines: readonly string[], by: string): readonly string[] {
  return lines.map((line) => (line === '' ? line : by + line));
}
