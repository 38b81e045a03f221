import type { CallValues } from './call.ts';
import { valueName } from './call.ts';
import { shown } from '../model/constraints.ts';
import type { ApiDocument } from '../model/document.ts';
import { isJson, type Media, type Operation, type Parameter } from '../model/operation.ts';
import { sampleValue } from '../model/sample-value.ts';

/** What a form begins with: examples for all that must be sent, nothing for the rest. */
export function firstValues(document: ApiDocument, { parameters, body }: Operation): CallValues {
  const required = parameters.filter(({ required }) => required);
  const media = preferredMedia(body?.media ?? []);
  return {
    parameters: Object.fromEntries(required.map((each) => [valueName(each), parameterText(document, each)])),
    mediaType: media?.type ?? null,
    body: media === undefined ? '' : bodyText(document, media),
  };
}

/** JSON, where there is a choice. */
export function preferredMedia(media: readonly Media[]): Media | undefined {
  return media.find(({ type }) => isJson(type)) ?? media[0];
}

/** An example of a body: of the document, else made up from its schema. */
export function bodyText(document: ApiDocument, { type, schema, examples }: Media): string {
  const value = examples[0] === undefined ? sampleValue(document, schema) : examples[0].value;
  return isJson(type) ? JSON.stringify(value, null, 2) : shown(value ?? '');
}

function parameterText(document: ApiDocument, { example, schema, holds }: Parameter): string {
  const value = example ?? sampleValue(document, schema) ?? '';
  if (holds === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.map(shown).join('\n') : shown(value);
}
