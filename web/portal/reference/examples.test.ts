/**
 * Whatever a document describes, its pages can be shown: every operation is read, indexed and sampled in every language.
 * The documents are the examples that other tools for OpenAPI are tested with.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildCall } from './call/call.ts';
import { bodyText, firstValues } from './call/first-values.ts';
import type { JsonObject } from './model/document.ts';
import { operationsOf, positionOf, readReference } from './model/reference.ts';
import { indexFields, searchOperations } from './model/search.ts';
import { LANGUAGES } from './samples/languages.ts';

const examples = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const documents = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(join(examples, version, 'json'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(version, 'json', name)),
);

function showAll(value: JsonObject): number {
  const reference = readReference(value);
  const { document } = reference;
  for (const _ of indexFields(reference));
  for (const operation of operationsOf(reference)) {
    const values = firstValues(document, operation);
    const call = { ...buildCall(operation, values), apiUrl: 'https://api.example', needsKey: operation.needsKey };
    for (const { sample } of Object.values(LANGUAGES)) expect(sample(call)).toContain('api.example');
    for (const answer of operation.answers) for (const media of answer.media) bodyText(document, media);
    expect(positionOf(reference, operation.id)).toBeDefined();
    expect(searchOperations(reference, operation.path).length).toBeGreaterThan(0);
  }
  return operationsOf(reference).length;
}

test('there are examples', () => {
  expect(documents.length).toBeGreaterThan(20);
});

test.each(documents)('%s', (file) => {
  showAll(JSON.parse(readFileSync(join(examples, file), 'utf8')) as JsonObject);
});

describe('documents that mean harm', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const posting = (schema: object, schemas: object = {}) => ({
    paths: {
      '/a': {
        post: {
          requestBody: { content: { 'application/json': { schema }, 'multipart/form-data': { schema } } },
          responses: { 200: { content: { 'application/json': { schema } } } },
        },
      },
    },
    components: { schemas },
  });

  test('a hundred levels', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 100; level++) {
      schema =
        level % 3 === 0 ? { items: schema } : level % 3 === 1 ? { oneOf: [schema] } : { properties: { a: schema } };
    }
    expect(showAll(posting(schema))).toBe(1);
  });

  test('circles of every kind', () => {
    const mapping = { one: 'Base', two: ref('Other').$ref };
    const schemas = {
      Base: { discriminator: { propertyName: 'kind', mapping }, properties: { kind: {}, next: ref('Base') } },
      Other: { allOf: [ref('Base'), ref('Other')], oneOf: [ref('Other'), ref('Base')] },
      List: { type: 'array', items: ref('List') },
      Map: { additionalProperties: ref('Map') },
    };
    for (const name of Object.keys(schemas)) expect(showAll(posting(ref(name), schemas))).toBe(1);
  });

  test('three megabytes in one schema', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`field${index}`, { type: 'string', description: 'x'.repeat(100) }]),
    );
    expect(showAll(posting({ properties }))).toBe(1);
  });
});
