import { expect, test } from '@jest/globals';
import type { Operation } from './operations.ts';
import { isIncluded, findMatchingChoices, createOperationChoices } from './operation-choices.ts';

const operation = (id: string, path: string, tags: string[], over: Partial<Operation> = {}): Operation => ({
  id,
  method: 'GET',
  path,
  tags,
  public: false,
  upstream: 'a',
  cost: 1,
  validation: { mode: 'off', candidate: false },
  lifecycle: {
    deprecated: false,
    deprecatedAt: null,
    sunsetAt: null,
    brownouts: [],
    stability: 'stable',
    successor: null,
    deprecationLink: null,
  },
  ...over,
});
const served = [
  operation('listPets', '/pets', ['pets']),
  operation('GET /fish', '/fish', ['pets']),
  operation('addPet', '/pets', ['pets', 'writing'], { method: 'POST' }),
  operation('getStatus', '/status', ['open'], { public: true }),
];
const selectors = (chosen: readonly string[] = [], text = '') =>
  findMatchingChoices(createOperationChoices(served, chosen), served, text).map(({ selector }) => selector);

test('tags and operations can be chosen, except for public operations', () => {
  expect(selectors()).toEqual(['tag:pets', 'tag:writing', 'listPets', 'GET /fish', 'addPet']);
  expect(createOperationChoices(served, []).map(({ label, detail }) => [label, detail])).toEqual([
    ['tag:pets', 'all with this tag: 3 now'],
    ['tag:writing', 'all with this tag: 1 now'],
    ['GET /pets', 'listPets'],
    // An operation without an id is named only once.
    ['GET /fish', ''],
    ['POST /pets', 'addPet'],
  ]);
});

test('earlier choices come first, and those that no longer exist before the others', () => {
  expect(selectors(['addPet', 'gone'])).toEqual(['gone', 'addPet', 'tag:pets', 'tag:writing', 'listPets', 'GET /fish']);
});

test.each([
  ['addpet', ['addPet']],
  ['post /pets', ['addPet']],
  ['writ', ['tag:writing', 'addPet']],
  ['tag:', ['tag:pets', 'tag:writing']],
  ['pets get', ['listPets', 'GET /fish']],
  ['nothing', []],
])('searching %j finds ids, paths, methods and tags', (text, found) => {
  expect(selectors([], text)).toEqual(found);
});

test('an operation is included by its id or by a tag', () => {
  const [listPets, , addPet] = served as [Operation, Operation, Operation];
  expect([isIncluded(['listPets'], listPets), isIncluded(['listPets'], addPet)]).toEqual([true, false]);
  expect([isIncluded(['tag:writing'], listPets), isIncluded(['tag:writing'], addPet)]).toEqual([false, true]);
  expect([isIncluded(null, addPet), isIncluded([], addPet)]).toEqual([true, false]);
});
