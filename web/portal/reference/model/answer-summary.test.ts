import { expect, test } from '@jest/globals';
import { summarizeResponse } from './answer-summary.ts';

test.each([
  ['`key_missing`: A key is needed.', 'key_missing: A key is needed.'],
  ['A page of `pets`.\n\nMore about it.', 'A page of pets.'],
  [null, ''],
])('the summary of %j is %j', (description, summary) => {
  expect(summarizeResponse(description)).toBe(summary);
});
