import { tableOf } from '../../../shared/format/table-of.ts';
import type { Operation, Parameter } from '../model/operation.ts';

/** What a consumer filled in: text by place and name, such as `query limit`. */
export interface CallValues {
  readonly parameters: Readonly<Record<string, string>>;
  readonly mediaType: string | null;
  readonly body: string;
}

/** A call as samples show it and as "Send" sends it, except for cookies. */
export interface Call {
  readonly method: string;
  /** With its query, percent-encoded. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The value of `Cookie` in code; a tried call has none. */
  readonly cookie: string | null;
  readonly body: string | null;
}

export function valueName({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** Parameters that are left empty are left out, except in the path. */
export function buildCall({ method, path, parameters, body }: Operation, values: CallValues): Call {
  const given = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map((parameter) => ({ parameter, text: values.parameters[valueName(parameter)] ?? '' }));
  const filled = given('path').reduce(
    (sum, { parameter, text }) => sum.replaceAll(`{${parameter.name}}`, pathValue(parameter, text)),
    path,
  );
  const query = given('query')
    .filter(({ text }) => text !== '')
    .flatMap(({ parameter, text }) => queryPairs(parameter, text));
  const headers = given('header').filter(({ text }) => text !== '');
  const cookies = given('cookie')
    .filter(({ text }) => text !== '')
    .flatMap(({ parameter, text }) => queryPairs(parameter, text));
  const sent = body !== null && values.body !== '' ? values.body : null;
  return {
    method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: [
      ...headers.map(({ parameter, text }) => [parameter.name, headerValue(parameter, text)] as const),
      ...(sent === null || values.mediaType === null ? [] : [['Content-Type', values.mediaType] as const]),
    ],
    cookie: cookies.length === 0 ? null : cookies.join('; '),
    body: sent,
  };
}

/** Without line ends, which no header may have. */
function headerValue(parameter: Parameter, text: string): string {
  return valuesOf(parameter, text)
    .join(',')
    .replaceAll(/\s*\n\s*/g, ' ');
}

function pathValue(parameter: Parameter, text: string): string {
  // For a missing value, the sample shows the name.
  if (text === '') return `{${parameter.name}}`;
  const { style, explode, name } = parameter;
  const values = valuesOf(parameter, text).map(encodeURIComponent);
  if (isAsItIs(parameter)) return values.join('');
  if (style === 'label') return `.${values.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return values.join(',');
  return explode ? values.map((value) => `;${name}=${value}`).join('') : `;${name}=${values.join(',')}`;
}

const SEPARATORS = tableOf({ form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' });

function queryPairs(parameter: Parameter, text: string): readonly string[] {
  const { name, style, explode, holds } = parameter;
  const key = encodeURIComponent(name);
  const fields = holds === 'fields' ? fieldsOf(text) : null;
  if (fields !== null) {
    if (style === 'deepObject') return fields.map(([field, value]) => `${key}%5B${field}%5D=${value}`);
    return explode ? fields.map((pair) => pair.join('=')) : [`${key}=${fields.flat().join(',')}`];
  }
  const values = valuesOf(parameter, text).map(encodeURIComponent);
  return explode ? values.map((value) => `${key}=${value}`) : [`${key}=${values.join(SEPARATORS.get(style) ?? ',')}`];
}

function isAsItIs({ holds }: Parameter): boolean {
  return holds === 'json' || holds === 'text';
}

/** Several values of a list stand in a line each. */
function valuesOf(parameter: Parameter, text: string): readonly string[] {
  if (isAsItIs(parameter)) return [text];
  return text.split('\n').filter((line, index) => line !== '' || index === 0);
}

/** The fields of a JSON object, encoded; null for anything else. */
function fieldsOf(text: string): readonly (readonly [string, string])[] | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return Object.entries(JSON.parse(text, asWritten) as object).map(
      ([name, value]) => [encodeURIComponent(name), encodeURIComponent(fieldText(value))] as const,
    );
  } catch {
    return null;
  }
}

function fieldText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Integers beyond 2^53 keep their digits, in browsers that can. */
function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || context?.source === undefined) return value;
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  return rawJSON === undefined ? value : rawJSON(context.source);
}
