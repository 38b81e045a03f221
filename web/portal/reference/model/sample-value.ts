import { type ApiDocument, asList, type JsonObject } from './document.ts';
import { readSchema, type SchemaView } from './schema.ts';

/** How deep a made-up value is nested; a recursive schema has no end. */
const MAX_DEPTH = 5;

const OF_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-12-24',
  'date-time': '2026-12-24T09:00:00Z',
  time: '09:00:00Z',
  duration: 'P1D',
  email: 'dev@example.com',
  uuid: '0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e',
  uri: 'https://example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** A value that fits a schema: what the document gives as an example, else one that is made up. */
export function sampleValue(document: ApiDocument, schema: unknown, depth = 0): unknown {
  const view = readSchema(document, schema);
  const given = givenValue(view.raw);
  if (given !== undefined) return given;
  const choice = view.choices?.of[0];
  if (choice !== undefined && depth < MAX_DEPTH) return sampleValue(document, choice.schema, depth + 1);
  switch (view.types[0] ?? '') {
    case 'object':
      return sampleObject(document, view, depth);
    case 'array':
      return depth < MAX_DEPTH && view.items !== undefined ? [sampleValue(document, view.items, depth + 1)] : [];
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

/** What must be sent; of the rest, what is plain. What only answers hold is left out. */
function sampleObject(document: ApiDocument, { properties }: SchemaView, depth: number): JsonObject {
  if (depth >= MAX_DEPTH) return {};
  const wanted = properties.filter(({ required, schema }) => {
    const { raw, properties: inner, choices, types } = readSchema(document, schema);
    if (raw['readOnly'] === true) return false;
    return required || (inner.length === 0 && choices === null && !types.includes('array'));
  });
  return Object.fromEntries(wanted.map(({ name, schema }) => [name, sampleValue(document, schema, depth + 1)]));
}

function sampleNumber(raw: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum } = raw;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  if (typeof minimum === 'number' && minimum > 1) return minimum;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}

function sampleText({ format, minLength, maxLength }: JsonObject): string {
  const text = (typeof format === 'string' ? OF_FORMAT[format] : undefined) ?? 'text';
  const longEnough = typeof minLength === 'number' ? text.padEnd(minLength, 'x') : text;
  return typeof maxLength === 'number' ? longEnough.slice(0, maxLength) : longEnough;
}
