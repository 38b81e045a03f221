import { expect, test } from '@jest/globals';
import { callErrors } from '../../../src/base/error-codes.ts';
import { outcomeWords } from './outcomes.ts';

test('every error code of a call has a description', () => {
  expect(Object.keys(callErrors).filter((code) => outcomeWords(code) === undefined)).toEqual([]);
});
