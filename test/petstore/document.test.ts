import { lintDocument } from '../support/openapi-linter.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readOperations, resolve } from '../../src/petstore/http/document.ts';
import { ERRORS } from '../../src/petstore/http/errors.ts';
import { parseJson } from '../../src/petstore/http/json.ts';
import { MAX_STOCK } from '../../src/petstore/store/pet-rules.ts';
import { compile } from '../../src/petstore/http/validation.ts';
import { makePet, openapi, startPetstore, toJson, type Api, type Body } from '../support/petstore/petstore.ts';
import { seen } from '../support/petstore/petstore-responses.ts';

const operations = readOperations(openapi);
const document: Body = resolve(openapi, openapi);

let api: Api;
beforeAll(async () => {
  api = await startPetstore();
});
afterAll(() => api.close());

/** Yields every object in the document, with its path. */
function* objects(node: unknown, path = '#'): Generator<[string, Body]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node];
  for (const [key, value] of Object.entries(node)) yield* objects(value, `${path}/${key}`);
}

/** The named examples of all error responses. */
const errorExamples: [string, Body][] = [...objects(document)]
  .filter(([path]) => /\/responses\/[^/]+\/content\/application\/json\/examples$/.test(path))
  .flatMap(([, examples]) => Object.entries<Body>(examples));

test('every operation responds as documented', async () => {
  const { post, put, get, delete: remove } = api;
  const petId = await makePet(api);
  const category = `/categories/${(await post('/categories', { name: 'Cats' })).body.id}`;
  await put(`/store/inventory/${petId}`, { quantity: 3 });
  const order = `/store/orders/${(await post('/store/orders', { petId })).body.id}`;
  const lists = ['/pets', '/categories', '/store/orders', '/store/inventory'];
  for (const path of [...lists, `/pets/${petId}`, category, order, `/store/inventory/${petId}`]) await get(path);
  await put(category, { name: 'Felines' });
  await put(order, { shipDate: '2026-12-24T09:00:00Z' });
  await put(`/pets/${petId}`, { name: 'Bella', categoryId: 1 });
  for (const path of [order, `/pets/${petId}`, category]) await remove(path);
  const documented = operations.flatMap((one) =>
    Object.keys(one.responses)
      .filter((status) => status.startsWith('2'))
      .map((status) => `${one.operationId} ${status}`),
  );
  expect([...seen].filter((one) => / 2\d\d$/.test(one)).toSorted()).toEqual(documented.toSorted());
});

test('the documented error codes are exactly those in the code', () => {
  const known = document.components.schemas.Error.properties.code.examples;
  expect(known.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  const codes = errorExamples.filter(([, one]) => one['x-answered-by'] !== 'gateway').map(([code]) => code);
  const anywhere = ['route_not_found', 'method_not_allowed'];
  expect([...new Set([...codes, ...anywhere])].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test('every error example is named after its code and has the right status', () => {
  for (const [path, examples] of objects(document)) {
    const status = /^#\/paths\/.*\/responses\/(\d+)\/content\/application\/json\/examples$/.exec(path)?.[1];
    if (status === undefined) continue;
    for (const [code, { value, 'x-answered-by': by }] of Object.entries<Body>(examples)) {
      expect(value).toMatchObject({ code, status: Number(status) });
      if (by === undefined) expect(ERRORS).toHaveProperty(`${code}.status`, Number(status));
    }
  }
});

test('every example matches its schema', () => {
  let count = 0;
  for (const [path, node] of objects(document)) {
    if (node.schema === undefined) continue;
    const examples = [node.example, ...Object.values<Body>(node.examples ?? {}).map((one) => one.value)];
    for (const example of examples.filter((one) => one !== undefined)) {
      expect([path, compile(node.schema)(parseJson(toJson(example)), '')]).toEqual([path, undefined]);
      count++;
    }
  }
  expect(count).toBeGreaterThan(50);
});

test('an OpenAPI linter reports nothing', async () => {
  expect(await lintDocument(openapi)).toEqual([]);
});

test('the document follows the rules that client generators rely on', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: '/' }] });
  expect(document.components.securitySchemes.ApiKeyAuth).toMatchObject({ type: 'apiKey', in: 'header' });
  const ids = operations.map((one) => one.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map((tag: Body) => tag.name);
  for (const { method, path, operationId, parameters, responses } of operations) {
    const operation = document.paths[path][method.toLowerCase()];
    expect(operation.summary).toBeTruthy();
    expect(tags).toEqual(expect.arrayContaining(operation.tags));
    const inPath = parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`);
    expect([operationId, inPath]).toEqual([operationId, path.match(/\{[^}]+\}/g) ?? []]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500', '503']));
  }
});

test('the largest quantity is the same in all schemas and in the code', () => {
  const { NewOrder, Order, InventoryItem, InventoryUpdate } = document.components.schemas;
  for (const { properties } of [NewOrder, Order, InventoryItem, InventoryUpdate]) {
    expect(BigInt(properties.quantity.maximum)).toBe(MAX_STOCK);
  }
});

test('every response has the rate limit headers, and a 429 has Retry-After', () => {
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries<Body>(responses)) {
      const headers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
      expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(headers));
      if (status === '429') expect(response.headers).toHaveProperty('Retry-After');
    }
  }
});

test('GET /pets/{petId} is the only deprecated operation, and inventory is beta', () => {
  const marked = (key: string) =>
    operations.filter((one) => document.paths[one.path][one.method.toLowerCase()][key] !== undefined);
  expect(marked('deprecated').map((one) => one.operationId)).toEqual(['getPet']);
  expect(marked('x-stability-level').map((one) => one.operationId)).toEqual([
    'listInventory',
    'getInventory',
    'setInventory',
  ]);
  const { get } = document.paths['/pets/{petId}'];
  expect(Date.parse(get['x-sunset'])).toBeGreaterThan(Date.parse(get['x-deprecated-at']));
  expect(get['x-successor']).toBe('/pets?id={petId}');
});
