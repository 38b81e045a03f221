import { shown } from './constraints.ts';
import type { ApiDocument } from './document.ts';
import { isJson, type Media } from './operation.ts';
import { sampleValue } from './sample-value.ts';

/** JSON, if there is a choice. */
export function preferredMedia(media: readonly Media[]): Media | undefined {
  return media.find(({ type }) => isJson(type)) ?? media[0];
}

/** An example of a body: from the document, otherwise made up from its schema. */
export function bodyText(
  document: ApiDocument,
  { type, schema, examples }: Pick<Media, 'type' | 'schema' | 'examples'>,
): string {
  const value = examples[0] === undefined ? sampleValue(document, schema) : examples[0].value;
  // An object is shown as JSON, whatever it is sent as.
  return isJson(type) || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value ?? '', null, 2)
    : shown(value ?? '');
}
