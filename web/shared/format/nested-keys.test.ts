import { expect, test } from '@jest/globals';
import { nestKeys, createPredecessorFinder } from './nested-keys.ts';

const key = (id: string, rotatedTo: string | null = null) => ({ id, rotatedTo });

test('each key is followed by those that it replaced, in whatever order they were listed', () => {
  const keys = [key('oldest', 'old'), key('other'), key('old', 'new'), key('new')];
  expect(nestKeys(keys).map(({ id }) => id)).toEqual(['other', 'new', 'old', 'oldest']);
});

test('an old secret stays in its place if the key that replaced it is not listed', () => {
  expect(nestKeys([key('old', 'elsewhere'), key('other')]).map(({ id }) => id)).toEqual(['old', 'other']);
});

test('a key replaced others directly or by way of others', () => {
  const keys = [key('new'), key('old', 'new'), key('oldest', 'old'), key('other')];
  expect(createPredecessorFinder(keys)(keys[0]!)).toEqual([keys[1], keys[2]]);
});
