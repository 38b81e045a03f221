import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, makePet, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
beforeAll(async () => {
  api = await startPetstore();
});
afterAll(() => api.close());

test.each([
  ['available', 5, 'available'],
  ['available', 0, 'sold'],
  ['pending', 5, 'available'],
  ['pending', 0, 'sold'],
  ['sold', 1, 'available'],
  ['sold', 0, 'sold'],
  ['sold', 2_147_483_647, 'available'],
])('a pet that is %s and gets a stock of %i is then %s', async (from, quantity, to) => {
  const petId = await makePet(api, { status: from });
  const response = await api.put(`/store/inventory/${petId}`, { quantity });
  const entry = { petId, quantity: BigInt(quantity), status: to };
  expect([response.status, response.body]).toEqual([200, entry]);
  expect((await api.get(`/store/inventory/${petId}`)).body).toEqual(entry);
  expect((await api.get(`/pets/${petId}`)).body.status).toBe(to);
});

test('with an open order, a stock of 0 is pending', async () => {
  const petId = await makePet(api);
  await api.put(`/store/inventory/${petId}`, { quantity: 3 });
  await api.post('/store/orders', { petId });
  expect((await api.put(`/store/inventory/${petId}`, { quantity: 0 })).body.status).toBe('pending');
  expect((await api.put(`/store/inventory/${petId}`, { quantity: 1 })).body.status).toBe('available');
});

test('returned stock is capped at the maximum', async () => {
  const petId = await makePet(api);
  const order = await api.post('/store/orders', { petId });
  await api.put(`/store/inventory/${petId}`, { quantity: 2_147_483_647 });
  expect((await api.delete(`/store/orders/${order.body.id}`)).status).toBe(204);
  expect((await api.get(`/store/inventory/${petId}`)).body.quantity).toBe(2_147_483_647n);
});

test.each([
  ['nothing', {}],
  ['-1', { quantity: -1 }],
  ['one too many', { quantity: 2_147_483_648 }],
  ['a fraction', { quantity: 0.5 }],
  ['a string', { quantity: '1' }],
  ['null', { quantity: null }],
])('PUT refuses %s', async (_, json) => {
  const petId = await makePet(api);
  expectError(await api.put(`/store/inventory/${petId}`, json), 400, 'validation_failed', '/quantity');
});

test('PUT refuses a status, because it depends on the stock', async () => {
  const petId = await makePet(api);
  const response = await api.put(`/store/inventory/${petId}`, { quantity: 1, status: 'sold' });
  expectError(response, 400, 'validation_failed', '/status');
});

test('every pet has exactly one inventory entry', async () => {
  expectError(await api.get('/store/inventory/4711'), 404, 'pet_not_found');
  expectError(await api.put('/store/inventory/4711', { quantity: 1 }), 404, 'pet_not_found');
  const [pets, entries] = [await api.get('/pets?limit=100'), await api.get('/store/inventory?limit=100')];
  expect(entries.body.map((one: { petId: bigint }) => one.petId)).toEqual(
    pets.body.map((one: { id: bigint }) => one.id),
  );
});
