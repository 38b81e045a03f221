import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, makeCategory, makePet, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
let categoryId: bigint;
beforeAll(async () => {
  api = await startPetstore();
  categoryId = await makeCategory(api);
});
afterAll(() => api.close());

test.each([
  ['without status', {}, 'available', 1n],
  ['available', { status: 'available' }, 'available', 1n],
  ['on hold', { status: 'pending' }, 'pending', 1n],
  ['sold', { status: 'sold' }, 'sold', 0n],
])('a new pet is created: %s', async (_, fields, status, stock) => {
  const created = await api.post('/pets', { name: 'Rex', categoryId, ...fields });
  const { id } = created.body;
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ id, name: 'Rex', categoryId, status });
  expect(created.headers.get('location')).toBe(`/pets/${id}`);
  expect((await api.get(`/pets/${id}`)).body).toEqual(created.body);
  expect((await api.get(`/store/inventory/${id}`)).body).toEqual({ petId: id, quantity: stock, status });
});

test.each([
  ['one character', 'x'],
  ['200 characters', 'x'.repeat(200)],
  ['200 characters outside the basic plane', '🐶'.repeat(200)],
  ['a NUL, quotes and line ends', 'a\u0000"\\\r\n\u2028'],
])('a name of %s is returned unchanged', async (_, name) => {
  const created = await api.post('/pets', { name, categoryId });
  expect(created.status).toBe(201);
  expect((await api.get(`/pets/${created.body.id}`)).body.name).toBe(name);
});

test.each([
  ['no name', { categoryId: 1 }, '/name'],
  ['empty name', { name: '', categoryId: 1 }, '/name'],
  ['201 characters', { name: 'x'.repeat(201), categoryId: 1 }, '/name'],
  ['name is a number', { name: 7, categoryId: 1 }, '/name'],
  ['name is null', { name: null, categoryId: 1 }, '/name'],
  ['no category', { name: 'Rex' }, '/categoryId'],
  ['category as a string', { name: 'Rex', categoryId: '1' }, '/categoryId'],
  ['category does not exist', { name: 'Rex', categoryId: 4711 }, '/categoryId'],
  ['unknown status', { name: 'Rex', categoryId: 1, status: 'lost' }, '/status'],
  ['an id', { id: 1, name: 'Rex', categoryId: 1 }, '/id'],
  ['unknown field', { name: 'Rex', categoryId: 1, 'a/b~': 1 }, '/a~1b~0'],
  ['not an object', [], ''],
])('POST and PUT refuse: %s', async (_, json, path) => {
  const id = await makePet(api);
  expectError(await api.post('/pets', json), 400, 'validation_failed', path);
  expectError(await api.put(`/pets/${id}`, json), 400, 'validation_failed', path);
});

test('all errors are reported together, up to 20', async () => {
  const response = await api.post('/pets', { name: '', status: 'lost' });
  expect(response.body.details).toEqual([
    { path: '/categoryId', message: 'is required' },
    { path: '/name', message: 'must have at least 1 character' },
    { path: '/status', message: 'must be one of available, pending, sold' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
  expect((await api.post('/pets', many)).body.details).toHaveLength(20);
});

test('PUT replaces name and category, and keeps the status unless it is given', async () => {
  const id = await makePet(api, { status: 'pending' });
  const other = await makeCategory(api);
  const pet = { id, name: 'Bella', categoryId: other, status: 'pending' };
  const replaced = await api.put(`/pets/${id}`, { name: 'Bella', categoryId: other });
  expect([replaced.status, replaced.body]).toEqual([200, pet]);
  expect((await api.get(`/pets/${id}`)).body).toEqual(pet);
});

test.each([
  ['available', 'available', 200],
  ['available', 'pending', 200],
  ['available', 'sold', 200],
  ['pending', 'available', 200],
  ['pending', 'pending', 200],
  ['pending', 'sold', 200],
  ['sold', 'available', 409],
  ['sold', 'pending', 409],
  ['sold', 'sold', 200],
])('a PUT that changes %s to %s gets a %i', async (from, to, status) => {
  const id = await makePet(api, { status: from });
  const response = await api.put(`/pets/${id}`, { name: 'Rex', categoryId, status: to });
  if (status === 409) expectError(response, 409, 'invalid_transition');
  expect(response.status).toBe(status);
  const stock = (status === 200 ? to : from) === 'sold' ? 0n : 1n;
  expect((await api.get(`/store/inventory/${id}`)).body.quantity).toBe(stock);
});

test('a pet with open orders cannot be sold or deleted, and leaves pending only with stock', async () => {
  const id = await makePet(api);
  const order = await api.post('/store/orders', { petId: id });
  expectError(await api.put(`/pets/${id}`, { name: 'Rex', categoryId, status: 'sold' }), 409, 'invalid_transition');
  expectError(await api.put(`/pets/${id}`, { name: 'X', categoryId, status: 'available' }), 409, 'invalid_transition');
  expectError(await api.delete(`/pets/${id}`), 409, 'pet_has_open_orders');
  expect((await api.get(`/pets/${id}`)).body).toMatchObject({ name: 'Rex', status: 'pending' });
  await api.put(`/store/orders/${order.body.id}`, { complete: true });
  expect((await api.delete(`/pets/${id}`)).status).toBe(204);
  expect((await api.get(`/store/orders/${order.body.id}`)).body.petId).toBe(id);
});

test('DELETE removes the pet and its inventory entry, and its id is never reused', async () => {
  const id = await makePet(api);
  const gone = await api.delete(`/pets/${id}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  for (const path of [`/pets/${id}`, `/store/inventory/${id}`]) {
    expectError(await api.get(path), 404, 'pet_not_found');
  }
  expectError(await api.delete(`/pets/${id}`), 404, 'pet_not_found');
  expectError(await api.put(`/pets/${id}`, { name: 'Rex', categoryId }), 404, 'pet_not_found');
  expect(await makePet(api)).toBeGreaterThan(id);
});
