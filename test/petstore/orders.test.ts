import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, makePet, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
beforeAll(async () => {
  api = await startPetstore();
});
afterAll(() => api.close());

const inventory = async (petId: bigint) => {
  const { quantity, status } = (await api.get(`/store/inventory/${petId}`)).body;
  return [quantity, status];
};
const stocked = async (quantity: number) => {
  const petId = await makePet(api);
  await api.put(`/store/inventory/${petId}`, { quantity });
  return petId;
};

test('an order reduces the stock by its quantity, or by one if none is given', async () => {
  const petId = await stocked(3);
  const created = await api.post('/store/orders', { petId });
  expect([created.status, created.body]).toEqual([201, { id: created.body.id, petId, quantity: 1n, complete: false }]);
  expect(created.headers.get('location')).toBe(`/store/orders/${created.body.id}`);
  expect((await api.get(`/store/orders/${created.body.id}`)).body).toEqual(created.body);
  expect(await inventory(petId)).toEqual([2n, 'available']);
  await api.post('/store/orders', { petId, quantity: 2 });
  expect(await inventory(petId)).toEqual([0n, 'pending']);
});

test.each([
  ['no pet', {}, '/petId'],
  ['quantity 0', { petId: 1, quantity: 0 }, '/quantity'],
  ['quantity -1', { petId: 1, quantity: -1 }, '/quantity'],
  ['quantity too large', { petId: 1, quantity: 2147483648 }, '/quantity'],
  ['quantity 1.5', { petId: 1, quantity: 1.5 }, '/quantity'],
  ['quantity as a string', { petId: 1, quantity: '1' }, '/quantity'],
  ['ship date without offset', { petId: 1, shipDate: '2026-12-24T09:00:00' }, '/shipDate'],
  ['ship date is null', { petId: 1, shipDate: null }, '/shipDate'],
  ['complete', { petId: 1, complete: false }, '/complete'],
])('POST refuses: %s', async (_, json, path) => {
  expectError(await api.post('/store/orders', json), 400, 'validation_failed', path);
});

test.each([
  ['nothing', {}, ''],
  ['complete as a string', { complete: 'true' }, '/complete'],
  ['an invalid ship date', { shipDate: 'tomorrow' }, '/shipDate'],
  ['a quantity', { complete: true, quantity: 2 }, '/quantity'],
])('PUT refuses: %s', async (_, json, path) => {
  const order = await api.post('/store/orders', { petId: await makePet(api) });
  expectError(await api.put(`/store/orders/${order.body.id}`, json), 400, 'validation_failed', path);
});

test.each([
  ['more than in stock', 'available', 2, 'out_of_stock'],
  ['a pet on hold', 'pending', 1, 'pet_not_available'],
  ['a sold pet', 'sold', 1, 'out_of_stock'],
])('cannot be ordered: %s', async (_, status, quantity, code) => {
  const petId = await makePet(api, { status });
  const before = await inventory(petId);
  expectError(await api.post('/store/orders', { petId, quantity }), 409, code);
  expect(await inventory(petId)).toEqual(before);
});

test('a pet whose whole stock is ordered is out of stock', async () => {
  const petId = await makePet(api);
  await api.post('/store/orders', { petId });
  expectError(await api.post('/store/orders', { petId }), 409, 'out_of_stock');
});

test('the ship date is returned as given, and PUT changes only the given fields', async () => {
  const order = await api.post('/store/orders', { petId: await makePet(api), shipDate: '2026-12-24T09:00:00.5+05:30' });
  const path = `/store/orders/${order.body.id}`;
  expect(order.body.shipDate).toBe('2026-12-24T09:00:00.5+05:30');
  expect((await api.put(path, { complete: true })).body).toEqual({ ...order.body, complete: true });
  const late = await api.put(path, { shipDate: '2027-01-02T00:00:00Z' });
  expect(late.body).toEqual({ ...order.body, complete: true, shipDate: '2027-01-02T00:00:00Z' });
  expect((await api.get(path)).body).toEqual(late.body);
});

test('a completed order cannot be undone or deleted, and the pet is sold if no stock is left', async () => {
  const petId = await stocked(2);
  const [first, second] = [await api.post('/store/orders', { petId }), await api.post('/store/orders', { petId })];
  await api.put(`/store/orders/${first.body.id}`, { complete: true });
  expect(await inventory(petId)).toEqual([0n, 'pending']);
  await api.put(`/store/orders/${second.body.id}`, { complete: true });
  expect(await inventory(petId)).toEqual([0n, 'sold']);
  const path = `/store/orders/${second.body.id}`;
  expect((await api.put(path, { complete: true })).status).toBe(200);
  expectError(await api.put(path, { complete: false }), 409, 'order_complete');
  expectError(await api.delete(path), 409, 'order_complete');
});

test('completing an order does not change a pet with stock left', async () => {
  const petId = await stocked(2);
  const order = await api.post('/store/orders', { petId });
  const { name, categoryId } = (await api.get(`/pets/${petId}`)).body;
  await api.put(`/pets/${petId}`, { name, categoryId, status: 'pending' });
  await api.put(`/store/orders/${order.body.id}`, { complete: true });
  expect(await inventory(petId)).toEqual([1n, 'pending']);
});

test('a canceled order returns its stock', async () => {
  const petId = await stocked(2);
  const order = await api.post('/store/orders', { petId, quantity: 2 });
  const gone = await api.delete(`/store/orders/${order.body.id}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect(await inventory(petId)).toEqual([2n, 'available']);
  expectError(await api.get(`/store/orders/${order.body.id}`), 404, 'order_not_found');
  expectError(await api.delete(`/store/orders/${order.body.id}`), 404, 'order_not_found');
  expectError(await api.put(`/store/orders/${order.body.id}`, { complete: true }), 404, 'order_not_found');
});

test('30 concurrent orders for a stock of 5 yield 5 orders', async () => {
  const petId = await stocked(5);
  const responses = await Promise.all(Array.from({ length: 30 }, () => api.post('/store/orders', { petId })));
  expect(responses.filter((one) => one.status === 201)).toHaveLength(5);
  for (const refused of responses.filter((one) => one.status !== 201)) expectError(refused, 409, 'out_of_stock');
  expect(await inventory(petId)).toEqual([0n, 'pending']);
});
