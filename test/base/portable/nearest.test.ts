import { expect, test } from '@jest/globals';
import { findNearest } from '../../../src/base/portable/nearest.ts';

const known = ['free', 'pro', 'enterprise', 'key.create', 'key.update'];

test.each([
  ['fre', 'free'],
  ['FREE', 'free'],
  ['por', 'pro'],
  ['enterprize', 'enterprise'],
  ['key.craete', 'key.create'],
  ['key.updat', 'key.update'],
  ['gold', null],
  ['x', null],
  ['', null],
  ['enterprise edition', null],
])('the name nearest to "%s" is %s', (given, meant) => {
  expect(findNearest(given, known)).toBe(meant);
});

test('an empty list has no nearest name', () => {
  expect(findNearest('free', [])).toBeNull();
});
