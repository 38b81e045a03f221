import type { ApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import { operationsOf, type Reference } from './reference.ts';
import { readSchema } from './schema.ts';

/** The operations with every word of a text; matches in the name or path come first. */
export function searchOperations(reference: Reference, text: string): readonly Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = operationsOf(reference).map((operation) => ({
    operation,
    score: scoreOf(operation, fieldsOf(reference.document, operation), words),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

/** 0 unless all words are found. */
function scoreOf(operation: Operation, fields: string, words: readonly string[]): number {
  const { id, method, path, summary, description, tag, parameters } = operation;
  const near = `${method} ${path} ${id} ${summary ?? ''}`.toLowerCase();
  const names = parameters.map(({ name }) => name).join(' ');
  const far = `${tag ?? ''} ${description ?? ''} ${names} ${fields}`.toLowerCase();
  if (!words.every((word) => near.includes(word) || far.includes(word))) return 0;
  return 1 + words.filter((word) => near.includes(word)).length;
}

/** How deep a field may be nested to be found. */
const MAX_DEPTH = 5;
/** Fields of one operation, at most: schemas that refer to each other have no end. */
const MAX_FIELDS = 500;

const known = new WeakMap<Operation, string>();

/** The names of all fields in the bodies of an operation, read once. */
function fieldsOf(document: ApiDocument, operation: Operation): string {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const names = new Set<string>();
  for (const { media } of [...(operation.body === null ? [] : [operation.body]), ...operation.answers]) {
    for (const { schema } of media) addFields(document, schema, names, 0);
  }
  const fields = [...names].join(' ');
  known.set(operation, fields);
  return fields;
}

function addFields(document: ApiDocument, schema: unknown, names: Set<string>, depth: number): void {
  if (depth === MAX_DEPTH || names.size >= MAX_FIELDS) return;
  const { properties, items, choices } = readSchema(document, schema);
  const within = [...properties.map((each) => each.schema), ...(choices?.of.map((each) => each.schema) ?? [])];
  for (const { name } of properties) names.add(name);
  for (const each of items === undefined ? within : [...within, items]) addFields(document, each, names, depth + 1);
}
