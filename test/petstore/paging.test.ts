import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, makeCategory, makePet, startPetstore, type Api } from '../support/petstore/petstore.ts';

let api: Api;
let categoryId: bigint;
beforeAll(async () => {
  api = await startPetstore();
  categoryId = await makeCategory(api);
  for (const status of ['available', 'pending', 'sold', 'available', 'available', 'pending', 'available']) {
    await api.post('/pets', { name: 'Rex', categoryId, status });
  }
});
afterAll(() => api.close());

interface Entry {
  id?: bigint;
  petId?: bigint;
}
const getId = (entry: Entry) => entry.id ?? entry.petId;
const findNext = (headers: Headers) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

/** Follows the links to the last page. Calls `between` after each page. */
async function walk(path: string, between: () => Promise<unknown> = async () => {}) {
  const pages: unknown[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { body, headers } = await api.get(next);
    pages.push(body.map(getId));
    next = findNext(headers);
    await between();
  }
  return pages;
}

const LISTS = ['/pets', '/categories', '/store/orders', '/store/inventory'];

test.each(LISTS)('the pages of %s contain every entry once, in order, whatever their size', async (path) => {
  for (let count = 0; count < 4; count++) await api.post('/store/orders', { petId: await makePet(api) });
  const whole = (await api.get(`${path}?limit=100`)).body.map(getId);
  expect(whole.length).toBeGreaterThan(3);
  for (const limit of [1, 2, whole.length - 1, whole.length, whole.length + 1]) {
    const pages = await walk(`${path}?limit=${limit}`);
    expect(pages.flat()).toEqual(whole);
    expect(pages).toHaveLength(Math.ceil(whole.length / limit));
  }
});

test.each(LISTS)('the limit and cursor of %s are validated', async (path) => {
  expect((await api.get(`${path}?limit=1`)).body).toHaveLength(1);
  expect((await api.get(`${path}?limit=100`)).status).toBe(200);
  for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=ten', 'limit=1&limit=2', 'limit=', 'page=2', 'x']) {
    expectError(await api.get(`${path}?${query}`), 400, 'validation_failed');
  }
  const cursor = new URLSearchParams(findNext((await api.get(`${path}?limit=1`)).headers)?.split('?')[1]).get(
    'cursor',
  )!;
  const elsewhere = Buffer.from('1:elsewhere').toString('base64url');
  for (const bad of ['', 'x', `${cursor}x`, `${cursor}=`, cursor.slice(0, -1), elsewhere, 'x'.repeat(200)]) {
    expectError(await api.get(`${path}?cursor=${bad}`), 400, 'validation_failed', '/query/cursor');
  }
});

test('an empty page has no next link', async () => {
  const { body, headers } = await api.get('/pets?id=4711');
  expect([body, headers.get('link')]).toEqual([[], null]);
});

test('the default page size is 20', async () => {
  for (let count = 0; count < 20; count++) await makePet(api);
  expect((await api.get('/pets')).body).toHaveLength(20);
});

test('paging while pets are created and deleted repeats none and skips none that exists throughout', async () => {
  const ids = (await api.get('/pets?limit=100')).body.map(getId);
  const doomed = ids.filter((_: bigint, index: number) => index % 3 === 0);
  const queue = [...doomed];
  const pages = await walk('/pets?limit=4', async () => {
    await makePet(api);
    // Delete also pets that were already listed, because with an offset, that would skip entries.
    for (const id of queue.splice(0, 2)) {
      const orders = (await api.get('/store/orders?limit=100')).body.filter((one: Entry) => one.petId === id);
      for (const order of orders) await api.delete(`/store/orders/${order.id}`);
      await api.delete(`/pets/${id}`);
    }
    // New pets make the list longer, so stop creating them once there is nothing left to delete.
    if (queue.length === 0) await api.delete(`/pets/${(await api.get('/pets?limit=100')).body.at(-1).id}`);
  });
  const shown = pages.flat();
  expect(new Set(shown).size).toBe(shown.length);
  const stayed = ids.filter((id: bigint) => !doomed.includes(id));
  expect(shown).toEqual(expect.arrayContaining(stayed.slice(0, -1)));
});

test('filters can be combined, and stay in the links', async () => {
  const other = await makeCategory(api);
  const mine: bigint[] = [];
  for (const status of ['available', 'sold', 'available', 'available']) {
    mine.push((await api.post('/pets', { name: 'Tom', categoryId: other, status })).body.id);
  }
  const [first, , third, fourth] = mine;
  expect((await walk(`/pets?categoryId=${other}&limit=3`)).flat()).toEqual(mine);
  expect((await walk(`/pets?categoryId=${other}&status=available&limit=1`)).flat()).toEqual([first, third, fourth]);
  const ids = `id=${fourth}&id=${first}&id=${first}&id=4711`;
  expect(await walk(`/pets?${ids}&limit=1`)).toEqual([[first], [fourth]]);
  expect((await walk(`/pets?${ids}&status=sold`)).flat()).toEqual([]);
});

test.each([
  ['status=lost', '/query/status'],
  ['status=sold&status=pending', '/query/status'],
  ['categoryId=1&categoryId=2', '/query/categoryId'],
  ['id=1,2', '/query/id/0'],
  ['id=1&id=x', '/query/id/1'],
  [Array.from({ length: 101 }, (_, id) => `id=${id}`).join('&'), '/query/id'],
  ['color=red', '/query/color'],
  ['__proto__=1', '/query/__proto__'],
  ['Limit=1', '/query/Limit'],
])('GET /pets?%s is refused', async (query, path) => {
  expectError(await api.get(`/pets?${query}`), 400, 'validation_failed', path);
});

test('operations without parameters refuse all query parameters', async () => {
  const id = await makePet(api);
  expectError(await api.get(`/pets/${id}?verbose=1`), 400, 'validation_failed', '/query/verbose');
  expectError(await api.delete(`/pets/${id}?force`), 400, 'validation_failed', '/query/force');
});
