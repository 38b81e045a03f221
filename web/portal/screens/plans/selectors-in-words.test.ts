import { expect, test } from '@jest/globals';
import { includedInWords } from './selectors-in-words.ts';

test.each([
  [null, 'All operations'],
  [['tag:pets'], 'Only operations tagged pets'],
  [['getPet', 'listPets'], 'Only getPet, listPets'],
  [['getPet', 'tag:pets', 'tag:orders'], 'Only getPet, and operations tagged pets, orders'],
])('a plan with the operations %j includes: %s', (selectors, words) => {
  expect(includedInWords(selectors)).toBe(words);
});
