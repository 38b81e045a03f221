/**
 * If a service with OpenAPI 3.0 returned `null`, clients that were generated from the published document once refused
 * it.
 */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/base/json.ts';
import { ComponentNames } from '../../src/openapi/components.ts';
import { publishedDocument } from '../../src/openapi/published-document.ts';
import { valueAt } from '../../src/openapi/pointer.ts';
import { withEveryPause } from '../support/every-pause.ts';

const ref = { $ref: '#/components/schemas/Pet' };

function documentWith(schema: unknown, openapi = '3.0.3'): JsonObject {
  return { openapi, paths: {}, components: { schemas: { One: schema } } };
}

function converting(document: JsonObject): Promise<JsonObject> {
  const names = new ComponentNames([], {});
  return publishedDocument(document, { name: 'one', names, staysAt: () => true, isRenamed: () => false });
}

async function convertSchema(schema: unknown): Promise<unknown> {
  return valueAt(await converting(documentWith(schema)), ['components', 'schemas', 'One']);
}

test.each<[string, object, object]>([
  ['a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['no null', { type: 'string', nullable: false }, { type: 'string' }],
  ['any value', { nullable: true, description: 'a' }, { description: 'a' }],
  ['listed values', { type: 'string', enum: ['a'], nullable: true }, { type: ['string', 'null'], enum: ['a', null] }],
  ['null in the list', { enum: ['a', null], nullable: true }, { enum: ['a', null] }],
  [
    'a reference in allOf',
    { allOf: [ref], nullable: true, title: 'a' },
    { title: 'a', anyOf: [ref, { type: 'null' }] },
  ],
  [
    'a composition with a type',
    { type: 'object', oneOf: [ref, { type: 'object', nullable: true }], nullable: true },
    { anyOf: [{ type: 'object', oneOf: [ref, { type: ['object', 'null'] }] }, { type: 'null' }] },
  ],
  ['an exclusive bound', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['a bound that is not exclusive', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  ['an exclusive bound without a number', { exclusiveMaximum: true }, {}],
  ['an example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }],
  ['an example that is null', { example: null }, { examples: [null] }],
  ['a file', { type: 'string', format: 'binary' }, { type: 'string', format: 'binary' }],
])('%s has the same meaning after the conversion to 3.1', async (_, schema, expected) => {
  expect(await convertSchema(schema)).toEqual(expected);
  const inside = { properties: { nullable: schema, example: schema }, items: schema, additionalProperties: schema };
  expect(await convertSchema(inside)).toEqual({
    properties: { nullable: expected, example: expected },
    items: expected,
    additionalProperties: expected,
  });
});

test('keywords beside a reference have no effect in 3.0, and are removed', async () => {
  expect(await convertSchema({ items: { ...ref, nullable: true, maxLength: 1, description: 'a' } })).toEqual({
    items: ref,
  });
});

test('data and extensions are not converted as schemas', async () => {
  const data = { type: 'string', nullable: true, example: 1, $ref: 'a', b: 1 };
  const schema = { default: data, enum: [data], 'x-data': data, type: 'object' };
  expect(await convertSchema({ ...schema, example: data })).toEqual({ ...schema, examples: [data] });
  const media = { schema: { type: 'string', nullable: true }, example: data, examples: { a: { value: data } } };
  const paths = { '/a': { get: { 'x-data': data, responses: { 200: { content: { 'a/b': media } } } } } };
  const before = { openapi: '3.0.0', paths, 'x-data': data };
  const copy = structuredClone(before);
  const after = await converting(before);
  const place = ['paths', '/a', 'get', 'responses', '200', 'content', 'a/b', 'schema'];
  expect(valueAt(after, place)).toEqual({ type: ['string', 'null'] });
  media.schema = valueAt(after, place) as typeof media.schema;
  expect(after).toEqual(before);
  media.schema = { type: 'string', nullable: true };
  expect(before).toEqual(copy);
});

test('properties named like methods are converted', async () => {
  const properties = JSON.parse('{ "__proto__": { "example": 1 }, "constructor": { "nullable": true } }') as object;
  expect(JSON.stringify(await convertSchema({ properties }))).toBe(
    '{"properties":{"__proto__":{"examples":[1]},"constructor":{}}}',
  );
});

describe('references into schemas', () => {
  test.each([
    ['example', 'examples/0'],
    ['properties/a/example', 'anyOf/0/properties/a/examples/0'],
    ['allOf/0', 'anyOf/0/allOf/0'],
    ['description', 'description'],
  ])('follow a schema that the conversion moved: %s', async (from, to) => {
    const schema = { nullable: true, example: 1, allOf: [ref], properties: { a: { example: 1 } } };
    const document = documentWith(schema);
    const paths = { '/a': { parameters: [{ schema: { $ref: `#/components/schemas/One/${from}` } }] } };
    const { paths: after } = await converting({ ...document, paths });
    expect(valueAt(after, ['/a', 'parameters', '0', 'schema', '$ref'])).toBe(`#/components/schemas/One/${to}`);
  });
});

test('a conversion pauses often, and does not copy parts that are the same in 3.1', async () => {
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
  const document = { ...documentWith({ properties }), paths: { '/a': { parameters: [{ example: 1 }] } } };
  const { result, turns } = await withEveryPause(() => converting(document));
  expect(turns).toBeGreaterThan(50);
  expect(result).toEqual(document);
  expect(result['paths']).toBe(document.paths);
  const newer = documentWith({ nullable: true }, '3.1.0');
  expect(await converting(newer)).toEqual(newer);
});
