import { expect, test } from '@jest/globals';
import { foldByKey, foldNeighbors } from './folded-refusals.ts';

const createRefusal = (at: string, more: object = {}) => ({
  at,
  keyId: 'key_a',
  code: 'rate_limit_exceeded',
  method: 'GET',
  operation: 'listPets' as string | null,
  path: null as string | null,
  cause: 'The limit was reached.',
  ...more,
});
const show = (rows: ReturnType<typeof foldByKey<ReturnType<typeof createRefusal>>>) =>
  rows.map(({ at, older }) => [at, ...older.map((each) => each.at)].join(' '));

const REFUSALS = [
  createRefusal('7'),
  createRefusal('6', { cause: 'An earlier minute.' }),
  createRefusal('5', { operation: null, path: '/a' }),
  createRefusal('4', { operation: null, path: '/b' }),
  createRefusal('3', { keyId: 'key_b' }),
  createRefusal('2'),
  createRefusal('1'),
];

test('refusals of one call with one key for one reason are one row, wherever they are', () => {
  expect(show(foldByKey(REFUSALS))).toEqual(['7 6 2 1', '5', '4', '3']);
});

test('only neighbours with the same cause are folded in a list that keeps its order', () => {
  expect(show(foldNeighbors(REFUSALS))).toEqual(['7', '6', '5', '4', '3', '2 1']);
});
