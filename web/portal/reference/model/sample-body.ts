import { formatValue } from './constraints.ts';
import { type ApiDocument, leftOutName } from './document.ts';
import { type Example, isJson, type Media } from './operation.ts';
import { sampleValue, type Variants } from './sample-value.ts';
import { isXml, xmlText } from './xml-text.ts';

/** The example and variants that the user has selected. */
export interface SampleChoice {
  readonly variants: Variants;
  /** The name of the selected example. Empty until the user selects one. */
  readonly example: string;
}

export const NO_CHOICE: SampleChoice = { variants: new Map(), example: '' };

type Sampled = Pick<Media, 'type' | 'schema' | 'examples'>;

/**
 * Finds the example of the document to show. Null if the shown example is generated, for example because the user
 * selected a variant that the document's example does not have.
 */
export function chosenExample(
  document: ApiDocument,
  { schema, examples }: Sampled,
  { variants, example }: SampleChoice,
): Example | null {
  const [first = null] = examples;
  const chosen = examples.find(({ name }) => name === example);
  if (chosen !== undefined || first === null || variants.size === 0) return chosen ?? first;
  const [usual, wanted] = [sampleValue(document, schema), sampleValue(document, schema, variants)];
  return JSON.stringify(usual) === JSON.stringify(wanted) ? first : null;
}

/** Returns an example of a body: one from the document, or else one that is generated from the schema. */
export function bodyText(document: ApiDocument, media: Sampled, choice = NO_CHOICE): string {
  const { type, schema } = media;
  const example = chosenExample(document, media, choice);
  const value = example === null ? sampleValue(document, schema, choice.variants) : example.value;
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && isXml(type)) return xmlText(document, schema, value, choice.variants);
  // Objects are shown as JSON in all other media types.
  return isJson(type) || isObject ? JSON.stringify(value ?? '', null, 2) : formatValue(value ?? '');
}

/** Explains that a generated body is empty because its schema is not loaded. Null if the body is complete. */
export function cutNote(
  document: ApiDocument,
  { schema, examples }: Pick<Media, 'schema' | 'examples'>,
  where: string,
): string | null {
  const name = examples.length > 0 ? null : leftOutName(document.resolve(schema));
  return name === null
    ? null
    : `This body is empty, because the schema ${name} is large. To see its fields, load them under ${where}.`;
}
