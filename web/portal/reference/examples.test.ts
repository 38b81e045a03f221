/**
 * Every operation of every document can be read, indexed and sampled in every language, whatever the document contains.
 * The documents are the test examples of other OpenAPI tools.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildCall } from './call/call.ts';
import { createFirstValues } from './call/first-values.ts';
import { bodyText } from './model/sample-body.ts';
import type { JsonObject } from './model/document.ts';
import { createOutline } from '../../../src/control-plane/portal/front/outline.ts';
import { ReferenceParts } from '../../../src/control-plane/portal/front/reference-parts.ts';
import type { StoredText } from '../../../src/http/stored-text.ts';
import type { SearchIndex } from '../api/reference.ts';
import { readOperationPart } from './model/operation-part.ts';
import { operationsOf, findPosition, readReference } from './model/reference.ts';
import { searchOperations } from './model/search.ts';
import { SAMPLES } from '../../../test/support/samples.ts';

const examples = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const documents = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(join(examples, version, 'json'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(version, 'json', name)),
);

const jsonIn = (stored: StoredText | null) => JSON.parse(String(stored?.body)) as JsonObject;

/** Reads all operations of a document in the parts that the gateway sends. Returns their number. */
async function showAll(value: JsonObject): Promise<number> {
  const parts = new ReferenceParts(await createOutline(value, []));
  const reference = readReference(await parts.index());
  const index = jsonIn(await parts.searchIndex()) as unknown as SearchIndex;
  for (const listed of operationsOf(reference)) {
    // oxlint-disable-next-line no-await-in-loop -- the gateway creates one part after the other
    const part = jsonIn(await parts.part({ kind: 'operation', name: listed.id }));
    const { document, operation } = readOperationPart(part, listed);
    const values = createFirstValues(document, operation);
    const call = { ...buildCall(operation, values), apiUrl: 'https://api.example', needsKey: operation.needsKey };
    for (const sample of Object.values(SAMPLES)) expect(sample(call)).toContain('api.example');
    for (const response of operation.responses) for (const media of response.media) bodyText(document, media);
    expect(findPosition(reference, operation.id)).toBeDefined();
    expect(searchOperations(reference, operation.path, index).length).toBeGreaterThan(0);
  }
  return operationsOf(reference).length;
}

test('more than 20 example documents are read', () => {
  expect(documents.length).toBeGreaterThan(20);
});

test.each(documents)('every operation of %s can be shown', async (file) => {
  await showAll(JSON.parse(readFileSync(join(examples, file), 'utf8')) as JsonObject);
});

describe('malicious documents can be shown:', () => {
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

  test('a hundred levels', async () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 100; level++) {
      schema =
        level % 3 === 0 ? { items: schema } : level % 3 === 1 ? { oneOf: [schema] } : { properties: { a: schema } };
    }
    expect(await showAll(posting(schema))).toBe(1);
  });

  test('cycles of every kind', async () => {
    const mapping = { one: 'Base', two: ref('Other').$ref };
    const schemas = {
      Base: { discriminator: { propertyName: 'kind', mapping }, properties: { kind: {}, next: ref('Base') } },
      Other: { allOf: [ref('Base'), ref('Other')], oneOf: [ref('Other'), ref('Base')] },
      List: { type: 'array', items: ref('List') },
      Map: { additionalProperties: ref('Map') },
    };
    for (const name of Object.keys(schemas)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await showAll(posting(ref(name), schemas))).toBe(1);
    }
  });

  test('three megabytes in one schema', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`field${index}`, { type: 'string', description: 'x'.repeat(100) }]),
    );
    expect(await showAll(posting({ properties }))).toBe(1);
  });
});
