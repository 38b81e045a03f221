import { expect, test } from '@jest/globals';
import { sortRows } from './sorting.ts';

const rows = [
  { name: 'beta', calls: 9 },
  { name: 'Alpha', calls: null },
  { name: 'gamma', calls: 10 },
];
const values = { name: (row: (typeof rows)[number]) => row.name, calls: (row: (typeof rows)[number]) => row.calls };
const names = (sort: string) => sortRows(rows, values, sort).map(({ name }) => name);

test('rows are sorted by text in any case, and by number', () => {
  expect(names('name')).toEqual(['Alpha', 'beta', 'gamma']);
  expect(names('-name')).toEqual(['gamma', 'beta', 'Alpha']);
  expect(names('calls')).toEqual(['beta', 'gamma', 'Alpha']);
});

test('rows without a value come last in both directions', () => {
  expect(names('-calls')).toEqual(['gamma', 'beta', 'Alpha']);
});

test('an unknown order leaves the rows unchanged', () => {
  for (const sort of ['', '-', 'owner', '__proto__', '-constructor']) expect(names(sort)).toEqual(['beta', 'Alpha', 'gamma']);
});
