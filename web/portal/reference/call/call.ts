import { createTable } from '../../../shared/format/table-of.ts';
import type { BodyForm } from '../model/body-form.ts';
import type { Operation, Parameter } from '../model/operation.ts';
import { type CallBody, formValues, createPairs } from './body.ts';

/** The values in the form. `parameters` has the texts by place and name, such as `query limit`. */
export interface CallValues {
  readonly parameters: Readonly<Record<string, string>>;
  readonly mediaType: string | null;
  readonly body: string;
  /** The texts of form fields by name. A list has one value per line, and a file field has the name of its file. */
  readonly form: Readonly<Record<string, string>>;
  /** The selected files by the name of their field. If the whole body is a file, its name is ''. */
  readonly files?: Readonly<Record<string, File>>;
}

/** A call. The samples show it, and the form sends it without cookies. */
export interface Call {
  readonly method: string;
  /** The percent-encoded path, with its query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The value of the `Cookie` header in samples. The form cannot send it. */
  readonly cookie: string | null;
  readonly body: CallBody | null;
}

export function valueName({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** Builds the call from the values. Empty parameters are left out, except in the path. */
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
  const media = body?.media.find(({ type }) => type === values.mediaType) ?? body?.media[0];
  const sent = media === undefined ? null : createBody(media.form, values);
  // Samples and browsers set the type of a form themselves, because for multipart it contains the boundary between the
  // parts.
  const hasType = sent?.kind === 'text' || sent?.kind === 'file';
  return {
    method,
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: [
      ...headers.map(({ parameter, text }) => [parameter.name, headerValue(parameter, text)] as const),
      ...(hasType && values.mediaType !== null ? [['Content-Type', values.mediaType] as const] : []),
    ],
    cookie: cookies.length === 0 ? null : cookies.join('; '),
    body: sent,
  };
}

function createBody(form: BodyForm, { body, form: texts }: CallValues): CallBody | null {
  if (form.kind === 'text') return body === '' ? null : { kind: 'text', text: body };
  if (form.kind === 'file') return body === '' ? null : { kind: 'file', fileName: body };
  const filled = form.fields.map((field) => ({ field, text: texts[field.name] ?? '' }));
  if (form.kind === 'form') {
    const fields = filled.flatMap(({ field, text }) => createPairs(field, text));
    return fields.length === 0 ? null : { kind: 'form', fields };
  }
  const parts = filled.flatMap(({ field, text }) =>
    formValues(field, text).map((value) => {
      const { name, isFile, isJson, type } = field;
      return { name, value, isFile, type: type ?? (isJson ? 'application/json' : null) };
    }),
  );
  return parts.length === 0 ? null : { kind: 'multipart', parts };
}

/** Formats the value of a header, without line ends, which no header may contain. */
function headerValue(parameter: Parameter, text: string): string {
  return splitValues(parameter, text)
    .join(',')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function pathValue(parameter: Parameter, text: string): string {
  // Without a value, the sample shows the name of the parameter in braces.
  if (text === '') return `{${parameter.name}}`;
  const { style, explode, name, isRest } = parameter;
  const slash = isRest ? '/' : '%2F';
  const values = splitValues(parameter, text).map((value) => encodeURIComponent(value).replaceAll('%2F', slash));
  if (isAsItIs(parameter)) return values.join('');
  if (style === 'label') return `.${values.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return values.join(',');
  return explode ? values.map((value) => `;${name}=${value}`).join('') : `;${name}=${values.join(',')}`;
}

const SEPARATORS = createTable({ form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' });

function queryPairs(parameter: Parameter, text: string): readonly string[] {
  const { name, style, explode, holds } = parameter;
  const key = encodeURIComponent(name);
  const fields = holds === 'fields' ? encodeFields(text) : null;
  if (fields !== null) {
    if (style === 'deepObject') return fields.map(([field, value]) => `${key}%5B${field}%5D=${value}`);
    return explode ? fields.map((pair) => pair.join('=')) : [`${key}=${fields.flat().join(',')}`];
  }
  const values = splitValues(parameter, text).map(encodeURIComponent);
  return explode ? values.map((value) => `${key}=${value}`) : [`${key}=${values.join(SEPARATORS.get(style) ?? ',')}`];
}

function isAsItIs({ holds }: Parameter): boolean {
  return holds === 'json' || holds === 'text';
}

/** Splits a text into values. A list has one value per line. */
function splitValues(parameter: Parameter, text: string): readonly string[] {
  if (isAsItIs(parameter)) return [text];
  return text.split('\n').filter((line, index) => line !== '' || index === 0);
}

/** Encodes the fields of a JSON object. Null if the text is not a JSON object. */
function encodeFields(text: string): readonly (readonly [string, string])[] | null {
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

/** A reviver for `JSON.parse` that keeps the digits of integers beyond 2^53, if the browser supports it. */
function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || context?.source === undefined) return value;
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  return rawJSON === undefined ? value : rawJSON(context.source);
}
