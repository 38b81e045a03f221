import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, makeCategory, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
beforeAll(async () => {
  api = await startPetstore();
});
afterAll(() => api.close());

test.each([
  ['a name', { name: 'Cats' }],
  ['a description', { name: 'Cats', description: 'Independent' }],
  ['an empty description', { name: 'Cats', description: '' }],
  ['the longest name and description', { name: 'x'.repeat(200), description: '🐱'.repeat(1000) }],
])('a new category with %s is created', async (_, category) => {
  const created = await api.post('/categories', category);
  expect([created.status, created.body]).toEqual([201, { id: created.body.id, ...category }]);
  expect(created.headers.get('location')).toBe(`/categories/${created.body.id}`);
  expect((await api.get(`/categories/${created.body.id}`)).body).toEqual(created.body);
});

test.each([
  ['no name', {}, '/name'],
  ['empty name', { name: '' }, '/name'],
  ['201 characters', { name: 'x'.repeat(201) }, '/name'],
  ['name is not a string', { name: true }, '/name'],
  ['description is not a string', { name: 'Cats', description: 1 }, '/description'],
  ['description of 1001 characters', { name: 'Cats', description: 'x'.repeat(1001) }, '/description'],
  ['unknown field', { name: 'Cats', color: 'red' }, '/color'],
  ['not an object', 'Cats', ''],
])('POST and PUT refuse: %s', async (_, json, path) => {
  const id = await makeCategory(api);
  expectError(await api.post('/categories', json), 400, 'validation_failed', path);
  expectError(await api.put(`/categories/${id}`, json), 400, 'validation_failed', path);
});

test('PUT replaces all fields', async () => {
  const { id } = (await api.post('/categories', { name: 'Cats', description: 'Independent' })).body;
  const replaced = await api.put(`/categories/${id}`, { name: 'Felines' });
  expect([replaced.status, replaced.body]).toEqual([200, { id, name: 'Felines' }]);
  expect((await api.get(`/categories/${id}`)).body).toEqual({ id, name: 'Felines' });
});

test('a category in use cannot be deleted, and an unused one can be deleted once', async () => {
  const id = await makeCategory(api);
  const pet = await api.post('/pets', { name: 'Rex', categoryId: id });
  expectError(await api.delete(`/categories/${id}`), 409, 'category_in_use');
  await api.delete(`/pets/${pet.body.id}`);
  expect((await api.delete(`/categories/${id}`)).status).toBe(204);
  expectError(await api.delete(`/categories/${id}`), 404, 'category_not_found');
  expectError(await api.get(`/categories/${id}`), 404, 'category_not_found');
  expectError(await api.put(`/categories/${id}`, { name: 'Dogs' }), 404, 'category_not_found');
});

test('HEAD has the headers of GET, without the body', async () => {
  const id = await makeCategory(api);
  const got = await api.get(`/categories/${id}`);
  const head = await api.call('HEAD', `/categories/${id}`);
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(String(got.text.length));
});

test.each([
  ['PATCH', '/categories', 405, 'method_not_allowed', 'GET, HEAD, POST'],
  ['POST', '/categories/1', 405, 'method_not_allowed', 'DELETE, GET, HEAD, PUT'],
  ['OPTIONS', '/store/inventory', 405, 'method_not_allowed', 'GET, HEAD'],
  ['GET', '/', 404, 'route_not_found', null],
  ['GET', '/Categories', 404, 'route_not_found', null],
  ['GET', '/categories/1/', 404, 'route_not_found', null],
  ['GET', '/categories/%zz', 404, 'route_not_found', null],
])('%s %s gets a %i', async (method, path, status, code, allow) => {
  const response = await api.call(method, path);
  expectError(response, status, code);
  expect(response.headers.get('allow')).toBe(allow);
});
