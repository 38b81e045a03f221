/** The part of a document for a single page has everything that the page needs, and little more. */
import { describe, expect, test } from '@jest/globals';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { DocumentParts, LEFT_OUT } from '../../src/openapi/document-parts.ts';
import { valueAt } from '../../src/openapi/pointer.ts';
import { withEveryPause } from '../support/every-pause.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function returning(schema: object): JsonObject {
  return { '/a': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } };
}

function extractPart(document: JsonObject, roots: JsonObject = { paths: document['paths'] }): Promise<JsonObject> {
  return new DocumentParts(document).partWith(roots);
}

const getSchemas = (part: JsonObject) => valueAt(part, ['components', 'schemas']) as JsonObject;

test('a part has exactly the components that it refers to, directly or indirectly', async () => {
  const schemas = { A: { properties: { b: ref('B~1c') } }, 'B/c': { type: 'string' }, Other: {} };
  const parameters = { limit: { name: 'limit', in: 'query' }, other: {} };
  const paths = { '/a': { get: { parameters: [{ $ref: '#/components/parameters/limit' }], ...returning(ref('A')) } } };
  expect(await extractPart({ paths, components: { schemas, parameters } })).toEqual({
    paths,
    components: { schemas: { A: schemas.A, 'B/c': schemas['B/c'] }, parameters: { limit: parameters.limit } },
  });
});

test('a part of the document has the schemas of its discriminators', async () => {
  const discriminator = { propertyName: 'kind', mapping: { cat: 'Cat', dog: '#/components/schemas/Dog' } };
  const schemas = { Pet: { discriminator }, Cat: {}, Dog: {} };
  expect(Object.keys(getSchemas(await extractPart({ paths: returning(ref('Pet')), components: { schemas } })))).toEqual(
    ['Pet', 'Cat', 'Dog'],
  );
});

test('a schema that contains itself is in its part once', async () => {
  const schemas = { Tree: { properties: { child: ref('Tree'), leaf: ref('Leaf') } }, Leaf: { items: ref('Tree') } };
  const roots = { components: { schemas: { Tree: schemas.Tree } } };
  expect(getSchemas(await extractPart({ components: { schemas } }, roots))).toEqual(schemas);
});

test('references elsewhere in the document are included, and references to nothing or to other documents are ignored', async () => {
  const other = { post: { responses: { 200: { content: { 'application/json': { schema: { type: 'integer' } } } } } } };
  const place = '#/paths/~1other/post/responses/200/content/application~1json/schema';
  const choices = [place, '#/nowhere', '#/components/schemas/None', 'other.yaml#/A', '#/components/schemas/__proto__'];
  const paths = returning({ oneOf: choices.map(($ref) => ({ $ref })) });
  expect(await extractPart({ paths: { ...paths, '/other': other, '/more': {} } }, { paths })).toEqual({
    paths: { ...paths, '/other': other },
    components: {},
  });
});

// Bundled documents refer to schemas within lists. The lists once became maps, and their other entries were lost.
test('a reference into a list of the part itself leaves the list as it is', async () => {
  const schema = { type: 'string' };
  const parameters = [
    { name: 'a', in: 'query', schema },
    { name: 'b', in: 'query', schema: { $ref: '#/paths/~1a/post/parameters/0/schema' } },
  ];
  const paths = { '/a': { post: { parameters } } };
  expect(await extractPart({ paths }, { paths })).toEqual({ paths, components: {} });
});

describe('large schemas', () => {
  const large = { description: 'x'.repeat(300_000), properties: { inner: ref('Inner') } };

  test('are replaced with the names by which they can be loaded, and schemas that only they need are left out', async () => {
    const schemas = { Small: { properties: { large: ref('Large') } }, Large: large, Inner: {} };
    const document = { paths: returning(ref('Small')), components: { schemas } };
    expect(getSchemas(await extractPart(document))).toEqual({ Small: schemas.Small, Large: { [LEFT_OUT]: 'Large' } });
    const loaded = await extractPart(document, { components: { schemas: { Large: large } } });
    expect(getSchemas(loaded)).toEqual({ Large: large, Inner: {} });
  });

  test('and large examples are left out', async () => {
    const examples = { large: { value: 'x'.repeat(300_000) }, small: { value: 1 } };
    const content = {
      examples: { large: { $ref: '#/components/examples/large' }, small: { $ref: '#/components/examples/small' } },
    };
    const paths = { '/a': { get: { responses: { 200: { content: { 'text/plain': content } } } } } };
    expect((await extractPart({ paths, components: { examples } }))['components']).toEqual({
      examples: { small: { value: 1 } },
    });
  });

  test('and thousands of small ones are left out, except those closest to the part', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`S${at}`, { description: 'x'.repeat(500), items: ref(`S${at + 1}`) }]),
    );
    const part = await extractPart({ paths: returning(ref('S0')), components: { schemas } });
    const names = Object.keys(getSchemas(part));
    expect(names.slice(0, 2)).toEqual(['S0', 'S1']);
    expect(getSchemas(part)[names.at(-1)!]).toEqual({ [LEFT_OUT]: names.at(-1) });
    expect(JSON.stringify(part).length).toBeLessThan(300_000);
  });

  test('have short placeholders, whose total size is also limited', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `Name${at}${'x'.repeat(50)}`);
    const schemas = Object.fromEntries(names.map((name) => [name, { description: 'y'.repeat(1000) }]));
    const responses = { Refused: { description: 'refused' } };
    const paths = returning({ oneOf: names.map(ref) });
    const more = { '/b': { get: { responses: { 401: { $ref: '#/components/responses/Refused' } } } } };
    const part = await extractPart({ paths: { ...paths, ...more }, components: { schemas, responses } });
    expect(JSON.stringify(part['components']).length).toBeLessThan(800_000);
    expect(part['components']).toMatchObject({ responses });
  });
});

describe('the searchable fields of an operation', () => {
  const listFields = (roots: JsonObject, schemas: JsonObject = {}) =>
    new DocumentParts({ components: { schemas } }).fieldsOf(roots);

  test('are parameters and properties at any depth, but not keywords or examples', async () => {
    const schema = {
      properties: { tagName: { enum: [{ properties: { notThis: 1 } }] }, properties: { type: 'string' } },
      allOf: [ref('Base')],
    };
    const operation = { parameters: [{ name: 'limit', in: 'query' }], requestBody: { content: { x: { schema } } } };
    expect(await listFields(operation, { Base: { items: { properties: { owner: ref('Base') } } } })).toEqual([
      'limit',
      'tagName',
      'properties',
      'owner',
    ]);
  });

  test('are limited in number and length', async () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, {}]));
    expect(await listFields({ schema: { properties } })).toHaveLength(300);
    expect(await listFields({ schema: { properties: { ['x'.repeat(101)]: {} } } })).toEqual([]);
  });

  // For each of its 9,000 operations, all 3,000 schemas of a document were once read, which took a minute.
  test('come from its 100 nearest schemas', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`S${at}`, { properties: { same: ref(`S${at + 1}`), [`f${at}`]: {} } }]),
    );
    expect(await listFields({ schema: ref('S0') }, schemas)).toEqual([
      'same',
      ...Array.from({ length: 100 }, (_, at) => `f${at}`),
    ]);
  });

  test('are found quickly, even if all schemas refer to each other', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `S${at}`);
    const all = Object.fromEntries(names.map((name) => [`f${name}`, ref(name)]));
    const schemas = Object.fromEntries(names.map((name) => [name, { properties: all }]));
    expect(await listFields({ schema: ref('S0') }, schemas)).toHaveLength(200);
  });
});

test('the extraction of a large part pauses often', async () => {
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, { type: 'string' }]));
  const { turns } = await withEveryPause(() => new DocumentParts({}).partWith({ paths: returning({ properties }) }));
  expect(turns).toBeGreaterThan(100);
});

test('the extraction of a part does not change the document', async () => {
  const document = { paths: returning(ref('A')), components: { schemas: { A: { items: ref('B') }, B: {} } } };
  const before = structuredClone(document);
  expect(isObject(await extractPart(document))).toBe(true);
  expect(document).toEqual(before);
});
