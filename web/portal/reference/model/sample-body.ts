import { shown } from './constraints.ts';
import { type ApiDocument, leftOutName } from './document.ts';
import { isJson, type Media } from './operation.ts';
import { sampleValue } from './sample-value.ts';

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

/** What to say of a made-up body that is empty, because its schema is not loaded; null if nothing is missing. */
export function cutNote(
  document: ApiDocument,
  { schema, examples }: Pick<Media, 'schema' | 'examples'>,
  where: string,
): string | null {
  const name = examples.length > 0 ? null : leftOutName(document.resolve(schema));
  return name === null ? null : `The body is cut: the schema ${name} is large. Load its fields under ${where}.`;
}
