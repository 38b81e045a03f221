import type { CallValues } from './call.ts';
import { valueName } from './call.ts';
import { formatValue } from '../model/constraints.ts';
import type { FormField } from '../model/body-form.ts';
import { type ApiDocument, asList, asObject } from '../model/document.ts';
import { type Media, type Operation, type Parameter, preferredMedia } from '../model/operation.ts';
import { bodyText, chosenExample, NO_CHOICE, type SampleChoice } from '../model/sample-body.ts';
import { sampleValue } from '../model/sample-value.ts';
import { readSchema } from '../model/schema.ts';

/**
 * The values with which the form starts: examples for everything required, and nothing else. Path parameters get a
 * value only if the document has an example and the call changes nothing, because one click must not change a resource
 * that happens to have that id.
 */
export function createFirstValues(document: ApiDocument, { method, parameters, body }: Operation): CallValues {
  const isRead = method === 'GET' || method === 'HEAD';
  const required = parameters.filter(
    (each) => each.required && (each.in !== 'path' || (isRead && findExample(document, each) !== null)),
  );
  const media = preferredMedia(body?.media ?? []);
  return {
    parameters: Object.fromEntries(required.map((each) => [valueName(each), parameterText(document, each)])),
    mediaType: media?.type ?? null,
    ...createFirstBody(document, media),
  };
}

/** Changes the media type of the values, and replaces the body to match it. */
export function withMediaType(
  document: ApiDocument,
  body: Operation['body'],
  values: CallValues,
  type: string,
  choice: SampleChoice,
): CallValues {
  const media = body?.media.find((each) => each.type === type);
  return media === undefined
    ? values
    : { ...values, mediaType: type, ...createFirstBody(document, media, choice), files: {} };
}

/** Creates the body with which the form starts, for a media type. */
export function createFirstBody(
  api: ApiDocument,
  media: Media | undefined,
  choice = NO_CHOICE,
): Pick<CallValues, 'body' | 'form'> {
  if (media === undefined) return { body: '', form: {} };
  const { form } = media;
  const document = api.without('readOnly');
  if (form.kind === 'text') return { body: bodyText(document, media, choice), form: {} };
  if (form.kind === 'file') return { body: form.fileName, form: {} };
  const given = asObject(chosenExample(document, media, choice)?.value);
  const texts = form.fields
    .filter(({ name, required }) => required || given[name] !== undefined)
    .map((field) => [field.name, fieldText(document, field, given[field.name])] as const);
  return { body: '', form: Object.fromEntries(texts) };
}

function fieldText(document: ApiDocument, { schema, isFile, isJson, fileName }: FormField, given: unknown): string {
  if (isFile) return fileName;
  const value = given ?? sampleValue(document, schema) ?? '';
  if (Array.isArray(value) && !isJson) return value.map(formatValue).join('\n');
  return isJson && typeof value !== 'string' ? JSON.stringify(value, null, 2) : formatValue(value);
}

/** Finds an example of a parameter in the document. Null if there is none. */
export function findExample(document: ApiDocument, { example, schema }: Parameter): string | null {
  const { raw } = readSchema(document, schema);
  const given = example ?? raw['example'] ?? asList(raw['examples'])[0] ?? raw['const'] ?? asList(raw['enum'])[0];
  return given === undefined ? null : formatValue(given);
}

function parameterText(document: ApiDocument, { example, schema, holds }: Parameter): string {
  const value = example ?? sampleValue(document, schema) ?? '';
  if (holds === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.map(formatValue).join('\n') : formatValue(value);
}
