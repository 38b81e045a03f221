import type { FormField } from '../model/body-form.ts';
import { formatValue } from '../model/constraints.ts';
import { asList, asObject } from '../model/document.ts';

/** The body of a call. Both the samples and the form that sends calls use it. */
export type CallBody =
  | { readonly kind: 'text'; readonly text: string }
  /** The fields of `application/x-www-form-urlencoded`, not encoded yet. */
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'multipart'; readonly parts: readonly BodyPart[] }
  /** The body is the unchanged content of a file. */
  | { readonly kind: 'file'; readonly fileName: string };

export interface BodyPart {
  readonly name: string;
  /** The text of the part, or the name of its file. */
  readonly value: string;
  readonly isFile: boolean;
  /** The media type of the part. Null for plain text. */
  readonly type: string | null;
}

/** Splits the input of a field into values: several for a list, none if it is empty. */
export function formValues({ isList, isFile, isJson }: FormField, text: string): readonly string[] {
  if (text === '') return [];
  return isList && !isFile && !isJson ? text.split('\n').filter((line) => line !== '') : [text];
}

/** Turns a form field into pairs of names and values, as in a query string. */
export function createPairs(field: FormField, text: string): readonly (readonly [string, string])[] {
  const { name, isExploded, isDeepObject } = field;
  const nested = isDeepObject ? deepPairs(name, text) : null;
  if (nested !== null) return nested;
  const values = formValues(field, text);
  if (values.length === 0) return [];
  return isExploded ? values.map((value) => [name, value] as const) : [[name, values.join(',')]];
}

function deepPairs(name: string, text: string): readonly (readonly [string, string])[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const entries = Object.entries(asObject(value));
    return entries.flatMap(([key, each]) =>
      (Array.isArray(each) ? asList(each) : [each]).map((one) => [`${name}[${key}]`, formatValue(one)] as const),
    );
  } catch {
    return null;
  }
}
