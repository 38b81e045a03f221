import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { toRawJson, parseJson } from '../../src/petstore/http/json.ts';
import { parseInt64 } from '../../src/petstore/http/int64.ts';
import { expectError, makePet, startPetstore, type Api } from '../support/petstore/petstore.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let api: Api;
const HUGE = [9007199254740995n, 9007199254740997n, 9223372036854775806n];
beforeAll(async () => {
  const database = join(temporaryDirectory(), 'pets.db');
  await (await startPetstore({ database, demo: true })).close();
  const db = new DatabaseSync(database);
  const insert = db.prepare('INSERT INTO pets (id, name, category_id, status, stock) VALUES (?, ?, 1, ?, 1)');
  // Without this option, the ids that `run` returns would have to be safe integers.
  insert.setReadBigInts(true);
  for (const id of HUGE) insert.run(id, `Pet ${id}`, 'available');
  db.close();
  api = await startPetstore({ database });
});
afterAll(() => api.close());

const ABSENT = ['0', '-1', '9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808'];
const BAD = [
  '9223372036854775808',
  '-9223372036854775809',
  '-0',
  '01',
  '1e3',
  '1.0',
  '0x10',
  '',
  ' 1',
  '1'.repeat(2000),
];

const PATHS = ['/pets/', '/categories/', '/store/orders/', '/store/inventory/'];

test.each(PATHS.flatMap((path) => ABSENT.map((id) => [path, id])))(
  'the id in %s%s is valid, but gets a 404',
  async (path, id) => {
    const response = await api.get(path + id);
    expect(response.status).toBe(404);
    expect(response.body.message).toContain(` ${id}.`);
  },
);

test.each(PATHS.flatMap((path) => [...BAD, '+1', '１', '1/2', '1;2'].map((id) => [path, id])))(
  'the id in %s%s is not valid',
  async (path, id) => {
    expectError(await api.get(path + encodeURIComponent(id)), 400, 'validation_failed');
  },
);

test.each(ABSENT)('the id %s is accepted in a query and in bodies', async (id) => {
  expect((await api.get(`/pets?id=${id}`)).body).toEqual([]);
  expect((await api.get(`/pets?categoryId=${id}`)).body).toEqual([]);
  const order = await api.call('POST', '/store/orders', { raw: `{"petId":${id}}` });
  expectError(order, 404, 'pet_not_found');
  expect(order.body.message).toContain(` ${id}.`);
  const pet = await api.call('POST', '/pets', { raw: `{"name":"Rex","categoryId":${id}}` });
  expectError(pet, 400, 'validation_failed', '/categoryId');
  expect(pet.body.details[0].message).toContain(` ${id}`);
});

test.each(BAD)('the id "%s" is refused in a query', async (id) => {
  for (const name of ['id', 'categoryId', 'limit']) {
    const response = await api.get(`/pets?${name}=${encodeURIComponent(id)}`);
    expectError(response, 400, 'validation_failed');
    expect(response.body.details[0].path).toMatch(new RegExp(`^/query/${name}`));
  }
});

test.each(['9223372036854775808', '-9223372036854775809', '-0', '1e3', '1.0', '"1"', 'true', '1e400', '1.5'])(
  'the id %s is refused in bodies',
  async (id) => {
    const order = await api.call('POST', '/store/orders', { raw: `{"petId":${id}}` });
    expectError(order, 400, 'validation_failed', '/petId');
    const pet = await api.call('POST', '/pets', { raw: `{"name":"Rex","categoryId":${id}}` });
    expectError(pet, 400, 'validation_failed', '/categoryId');
  },
);

test('ids beyond the safe integers stay distinct, from the database to the response', async () => {
  for (const id of HUGE) {
    const response = await api.get(`/pets/${id}`);
    expect(response.text).toBe(`{"id":${id},"name":"Pet ${id}","categoryId":1,"status":"available"}`);
  }
  const some = await api.get(`/pets?id=${HUGE[1]}&id=${HUGE[2]}`);
  expect(some.body.map((pet: { id: bigint }) => pet.id)).toEqual(HUGE.slice(1));
  const order = await api.post('/store/orders', { petId: HUGE[1] });
  expect(order.body.petId).toBe(HUGE[1]);
  expect((await api.get(`/store/inventory/${HUGE[0]}`)).body.quantity).toBe(1n);
  const next = await makePet(api);
  expect(next).toBe(9223372036854775807n);
  expect((await api.get(`/pets?id=${next}`)).body[0].id).toBe(next);
});

test('every int64 is unchanged by JSON, and every text that is not canonical is refused', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      expect(parseJson(JSON.stringify({ id: toRawJson(value) }))).toEqual({ id: value });
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[0-9.e]{0,22}$/)), (text) => {
      const value = parseInt64(text);
      if (value !== undefined) expect(value.toString()).toBe(text);
    }),
  );
});
