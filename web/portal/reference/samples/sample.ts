import { prettyJson } from '../../../shared/format/pretty-json.ts';
import type { BodyPart } from '../call/body.ts';
import type { Call } from '../call/call.ts';

export interface SampledCall extends Call {
  /** The URL of the API, without a slash at the end. */
  readonly apiUrl: string;
  readonly needsKey: boolean;
}

/** The variable from which samples read the key, so that no source code contains it. */
export const KEY_VARIABLE = 'API_KEY';
export const KEY_HEADER = 'X-API-Key';

/** A text as a literal of JavaScript, Python and Ruby. In single quotes if no escapes are needed. */
export function literal(text: string): string {
  return /^[^'\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The headers of samples, except for the key. */
export function sampledHeaders({ headers, cookie }: Call): Call['headers'] {
  return cookie === null ? headers : [...headers, ['Cookie', cookie]];
}

/** Indents JSON. Numbers keep their digits. */
export function sampledText(text: string, { headers }: Call): string {
  return isJsonCall(headers) ? prettyJson(text) : text;
}

export function isJsonCall(headers: Call['headers']): boolean {
  return headers.some(([name, value]) => name === 'Content-Type' && value.includes('json'));
}

/** The fields of a form as the text of a body. */
export function encodedForm(fields: readonly (readonly [string, string])[]): string {
  return fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Whether several fields or parts have the same name. */
export function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** The media type of a part. Files always have one. */
export function typeOfPart({ isFile, type }: BodyPart): string | null {
  return type ?? (isFile ? 'application/octet-stream' : null);
}

/** Indents each line, for a part of a longer sample. */
export function indented(lines: readonly string[], by: string): readonly string[] {
  return lines.map((line) => (line === '' ? line : by + line));
}
