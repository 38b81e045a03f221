import { expect, test } from '@jest/globals';
import { callErrors } from '../../../src/base/error-codes.ts';
import { outcomeWords } from './outcomes.ts';

test('every code that a call can be refused with has words', () => {
  expect(Object.keys(callErrors).filter((code) => outcomeWords(code) === undefined)).toEqual([]);
});
