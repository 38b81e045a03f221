import { indentJson } from '../../../shared/format/pretty-json.ts';
import type { BodyPart } from '../call/body.ts';
import type { Call } from '../call/call.ts';

export interface SampledCall extends Call {
  /** The URL of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly needsKey: boolean;
}

/** The environment variable from which samples read the key, so that the key is not in the source code. */
export const KEY_VARIABLE = 'API_KEY';
export const KEY_HEADER = 'X-API-Key';

/** Formats a text as a literal of JavaScript, Python and Ruby. It has single quotes unless an escape is needed. */
export function quoteText(text: string): string {
  return /^[^'\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The headers of a sample, except for the one with the key. */
export function sampledHeaders({ headers, cookie }: Call): Call['headers'] {
  return cookie === null ? headers : [...headers, ['Cookie', cookie]];
}

/** Formats the text of a body. JSON is indented, and its numbers keep their digits. */
export function sampledText(text: string, { headers }: Call): string {
  return isJsonCall(headers) ? indentJson(text) : text;
}

export function isJsonCall(headers: Call['headers']): boolean {
  return headers.some(([name, value]) => name === 'Content-Type' && value.includes('json'));
}

/** Encodes the fields of a form as the text of a body. */
export function encodedForm(fields: readonly (readonly [string, string])[]): string {
  return fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** True if several fields or parts have the same name. */
export function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** The media type of a part. For a file, there always is one. */
export function findPartType({ isFile, type }: BodyPart): string | null {
  return type ?? (isFile ? 'application/octet-stream' : null);
}

/** Indents lines that become part of a longer sample. */
export function indentLines(lines: readonly string[], by: string): readonly string[] {
  return lines.map((line) => (line === '' ? line : by + line));
}
