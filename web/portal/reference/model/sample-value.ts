import { createTable } from '../../../shared/format/table-of.ts';
import { type ApiDocument, asList, type JsonObject, leftOutName } from './document.ts';
import { readSchema, type SchemaView } from './schema.ts';

/** The maximum depth of a generated value. Recursive schemas have no end. */
export const MAX_DEPTH = 5;
/**
 * The maximum number of parts of a generated value. Schemas that refer to each other several times would create
 * thousands.
 */
const MAX_VALUES = 1000;

/** Examples by format. It is a map, because a document may name a format `constructor`. */
const OF_FORMAT = createTable({
  date: '2026-12-24',
  'date-time': '2026-12-24T09:00:00Z',
  time: '09:00:00Z',
  duration: 'P1D',
  email: 'dev@example.com',
  uuid: '0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e',
  uri: 'https://example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
});

/** The maximum length of a generated text. A schema may require a text that is too long for a browser. */
const MAX_LENGTH = 1000;

/** The names of the selected variants, by `SchemaView.choices.key`. */
export type Variants = ReadonlyMap<object, string>;

/** Finds the schema of the selected variant. By default, the first one. */
export function chosenVariant({ key, of }: NonNullable<SchemaView['choices']>, variants: Variants): unknown {
  const wanted = variants.get(key);
  return (of.find(({ name }) => name === wanted) ?? of[0])?.schema;
}

interface Progress {
  readonly variants: Variants;
  /** The number of values that may still be generated. */
  values: number;
}

/** Returns a value that fits a schema: the example in the document, or else a generated one. */
export function sampleValue(document: ApiDocument, schema: unknown, variants: Variants = new Map()): unknown {
  return createValue(document, schema, 0, { variants, values: MAX_VALUES });
}

function createValue(document: ApiDocument, schema: unknown, depth: number, left: Progress): unknown {
  if (left.values-- <= 0) return null;
  const view = readSchema(document, schema);
  const wanted = view.choices === null ? undefined : left.variants.get(view.choices.key);
  const given = wanted === undefined ? givenValue(view.raw) : undefined;
  if (given !== undefined) return given;
  // The fields of a left-out schema are unknown. Most such schemas are objects, so return an empty one.
  if (leftOutName(view.raw) !== null) return {};
  if (view.choices !== null && depth < MAX_DEPTH) {
    return createValue(document, chosenVariant(view.choices, left.variants), depth + 1, left);
  }
  switch (view.types[0] ?? '') {
    case 'object':
      return sampleObject(document, view, depth, left);
    case 'array':
      return depth < MAX_DEPTH && view.items !== undefined ? [createValue(document, view.items, depth + 1, left)] : [];
    case 'integer':
    case 'number':
      return sampleNumber(view.raw);
    case 'boolean':
      return true;
    case 'string':
      return sampleText(view.raw);
    default:
      return null;
  }
}

function givenValue(raw: JsonObject): unknown {
  if (raw['example'] !== undefined) return raw['example'];
  const [first] = asList(raw['examples']);
  return first ?? raw['const'] ?? raw['default'] ?? asList(raw['enum'])[0];
}

/** Generates an object with its required fields, simple optional fields, and fields with a selected variant. */
function sampleObject(document: ApiDocument, { properties }: SchemaView, depth: number, left: Progress): JsonObject {
  if (depth >= MAX_DEPTH) return {};
  const wanted = properties.filter(({ required, schema }) => {
    const { raw, properties: inner, choices, types } = readSchema(document, schema);
    if (required || (choices !== null && left.variants.has(choices.key))) return true;
    return leftOutName(raw) === null && inner.length === 0 && choices === null && !types.includes('array');
  });
  // An empty object would not be a useful example, so show at least the first field.
  const shown = wanted.length > 0 ? wanted : properties.slice(0, 1);
  return Object.fromEntries(shown.map(({ name, schema }) => [name, createValue(document, schema, depth + 1, left)]));
}

function sampleNumber(raw: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum } = raw;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  if (typeof minimum === 'number' && minimum > 1) return minimum;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}

function sampleText({ format, minLength, maxLength }: JsonObject): string {
  const text = (typeof format === 'string' ? OF_FORMAT.get(format) : undefined) ?? 'text';
  const longEnough = typeof minLength === 'number' ? text.padEnd(Math.min(minLength, MAX_LENGTH), 'x') : text;
  return typeof maxLength === 'number' ? longEnough.slice(0, maxLength) : longEnough;
}
