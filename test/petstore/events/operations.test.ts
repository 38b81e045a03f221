import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { EVENT_TYPES } from '../../../src/petstore/store/pet-store-events.ts';
import { MAX_WAITING_EVENTS } from '../../../src/petstore/store/outbox.ts';
import { until } from '../../support/until.ts';
import { makeCategory, makePet, openapi, startPetstore, toJson } from '../../support/petstore/petstore.ts';
import { startPublishing } from '../../support/petstore/publishing.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let store: Awaited<ReturnType<typeof startPublishing>>;
beforeEach(async () => {
  store = await startPublishing();
});
afterEach(() => store.close());

/** Events since the last call: `[type, subject, data]`. */
async function newEvents(): Promise<unknown[]> {
  const { body: category } = await store.post('/categories', { name: 'Marks' });
  const { body: mark } = await store.post('/pets', { name: 'Mark', categoryId: category.id });
  // Events are published in order, so all earlier ones have arrived.
  await until(() => store.published.some(({ type, data }) => type === 'pet.created' && data.pet.id === mark.id));
  return store.published
    .splice(0)
    .flatMap(({ type, subject, data }) => (subject === `${mark.id}` ? [] : [[type, subject, data]]));
}

const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };
const sold = { ...rex, status: 'sold' };
const pending = { ...rex, status: 'pending' };
const stock = (quantity: bigint, before: bigint) => ['inventory.changed', '1', { petId: 1n, quantity, before }];
const depleted = ['inventory.depleted', '1', { petId: 1n }];
const order = { id: 1n, petId: 1n, quantity: 1n, complete: false };

test('the published event types are those in the OpenAPI document', () => {
  expect(Object.keys(openapi.webhooks ?? {})).toEqual(EVENT_TYPES);
});

test('a pet that is created, changed and deleted publishes events', async () => {
  await makePet(store);
  expect(await newEvents()).toEqual([['pet.created', '1', { pet: rex }]]);
  await store.put('/pets/1', { name: 'Bella', categoryId: 1, status: 'pending' });
  const bella = { ...pending, name: 'Bella' };
  expect(await newEvents()).toEqual([['pet.updated', '1', { pet: bella, before: rex }]]);
  // This request changes nothing, so it publishes no event.
  await store.put('/pets/1', { name: 'Bella', categoryId: 1 });
  await store.delete('/pets/1');
  expect(await newEvents()).toEqual([['pet.deleted', '1', { pet: bella }]]);
});

test('with too many unpublished events, changes are refused until some are published', async () => {
  const dataDir = temporaryDirectory();
  const closed = await startPublishing({ dataDir });
  await makePet(closed);
  await closed.close();
  const database = new DatabaseSync(closed.file);
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MAX_WAITING_EVENTS})
    INSERT INTO outbox (id, type, subject, at, data) SELECT n, 'pet.deleted', '1', 1, '{}' FROM numbers`);
  database.close();
  let isAway = true;
  const publishAll = async () => {
    if (isAway) throw new Error('the gateway has no database');
  };
  const full = await startPublishing({ dataDir, publishAll });
  const refused = await full.post('/pets', { name: 'Tom', categoryId: 1 });
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '30']);
  expect((await full.delete('/pets/1')).status).toBe(503);
  expect((await full.get('/pets')).body).toHaveLength(1);
  isAway = false;
  await until(async () => (await full.post('/pets', { name: 'Tom', categoryId: 1 })).status === 201);
  expect((await full.get('/pets')).body).toHaveLength(2);
  await full.close();
});

test('an order reduces the stock, and an order of the last item also changes the pet', async () => {
  await makePet(store);
  await store.put('/store/inventory/1', { quantity: 2 });
  await store.post('/store/orders', { petId: 1 });
  expect((await newEvents()).slice(1)).toEqual([stock(2n, 1n), ['order.created', '1', { order }], stock(1n, 2n)]);
  await store.post('/store/orders', { petId: 1, shipDate: '2026-12-24T09:00:00Z' });
  const second = { ...order, id: 2n, shipDate: '2026-12-24T09:00:00Z' };
  expect(await newEvents()).toEqual([
    ['order.created', '2', { order: second }],
    ['pet.updated', '1', { pet: pending, before: rex }],
    stock(0n, 1n),
    depleted,
  ]);
  // A date alone publishes no event; a completed order stays complete, and is published once.
  await store.put('/store/orders/1', { shipDate: '2026-12-25T09:00:00Z' });
  for (let time = 0; time < 2; time++) await store.put('/store/orders/1', { complete: true });
  const done = { ...order, shipDate: '2026-12-25T09:00:00Z', complete: true };
  expect(await newEvents()).toEqual([['order.completed', '1', { order: done }]]);
  await store.put('/store/orders/2', { complete: true });
  expect(await newEvents()).toEqual([
    ['order.completed', '2', { order: { ...second, complete: true } }],
    ['pet.updated', '1', { pet: sold, before: pending }],
  ]);
});

test('a refused change publishes nothing', async () => {
  await makePet(store);
  await store.post('/store/orders', { petId: 1 });
  await newEvents();
  for (const refused of [
    await store.post('/pets', { name: 'Tom', categoryId: 9 }),
    await store.put('/pets/1', { name: 'Tom', categoryId: 1, status: 'sold' }),
    await store.put('/pets/1', { name: 'Tom', categoryId: 9 }),
    await store.delete('/pets/1'),
    await store.post('/store/orders', { petId: 1 }),
    await store.put('/store/orders/9', { complete: true }),
    await store.put('/store/inventory/9', { quantity: 1 }),
    await store.delete('/store/orders/9'),
  ]) {
    expect(refused.status).toBeGreaterThanOrEqual(400);
  }
  expect(await newEvents()).toEqual([]);
});

test('a change that the database refuses publishes nothing', async () => {
  await makePet(store);
  await newEvents();
  await store.close();
  const database = new DatabaseSync(store.file);
  // Fails after the event was written in the same transaction.
  database.exec(`CREATE TRIGGER no_events AFTER INSERT ON outbox WHEN new.type = 'inventory.depleted'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  database.close();
  store = await startPublishing({ dataDir: store.file.replace(/\/pets\.db$/, '') });
  expect((await store.put('/store/inventory/1', { quantity: 0 })).status).toBe(500);
  expect((await store.get('/store/inventory/1')).body).toEqual({ petId: 1n, quantity: 1n, status: 'available' });
  await store.put('/store/inventory/1', { quantity: 2 });
  expect(await newEvents()).toEqual([stock(2n, 1n)]);
});

test('ids in events keep all their digits', async () => {
  const category = await makeCategory(store);
  await store.close();
  const id = 9_007_199_254_740_993n;
  const database = new DatabaseSync(store.file);
  const sequence = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const table of ['pets', 'orders']) sequence.run(table, id - 1n);
  database.close();
  const texts: string[] = [];
  const publishAll = async (events: readonly { readonly data: string }[]) => {
    texts.push(...events.map(({ data }) => data));
  };
  store = await startPublishing({ dataDir: store.file.replace(/\/pets\.db$/, ''), publishAll });
  await store.post('/pets', { name: 'Rex', categoryId: category });
  await store.post('/store/orders', { petId: id });
  const pet = (status: string) => ({ id, name: 'Rex', categoryId: category, status });
  await until(() => texts.length === 5);
  expect(texts).toEqual([
    toJson({ pet: pet('available') }),
    toJson({ order: { id, petId: id, quantity: 1n, complete: false } }),
    toJson({ pet: pet('pending'), before: pet('available') }),
    toJson({ petId: id, quantity: 0n, before: 1n }),
    toJson({ petId: id }),
  ]);
});

test('each event has a unique id and the time of its change', async () => {
  const before = Date.now();
  await makePet(store);
  await store.post('/store/orders', { petId: 1 });
  await until(() => store.published.length === 5);
  expect(new Set(store.published.map(({ id }) => id)).size).toBe(5);
  for (const { id, at } of store.published) {
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  }
});

test('only documented fields are published, and demo data is not published', async () => {
  await store.close();
  const { 'pet.created': created } = openapi.webhooks ?? {};
  store = await startPublishing({ demo: true, document: { ...openapi, webhooks: { 'pet.created': created } } });
  await makePet(store);
  await store.put('/store/inventory/1', { quantity: 5 });
  expect(await newEvents()).toEqual([['pet.created', '6', { pet: { ...rex, id: 6n, categoryId: 4n } }]]);
});

test('without a gateway, no events are stored', async () => {
  const database = `${temporaryDirectory()}/pets.db`;
  const alone = await startPetstore({ database });
  await makePet(alone);
  await alone.close();
  const file = new DatabaseSync(database);
  expect(file.prepare('SELECT count(*) AS rows FROM outbox').get()).toEqual({ rows: 0 });
  file.close();
});
