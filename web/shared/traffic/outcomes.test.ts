import { expect, test } from '@jest/globals';
import { callErrors } from '../../../src/domain/error-codes.ts';
import { isFailure, findOutcomeWords } from './outcomes.ts';

test('every error code of a call has a description', () => {
  expect(Object.keys(callErrors).filter((code) => findOutcomeWords(code) === undefined)).toEqual([]);
});

test('the codes that count as failures are those with a status of 500 or above', () => {
  const failures = Object.entries(callErrors).flatMap(([code, { status }]) => (status >= 500 ? [code] : []));
  expect(Object.keys(callErrors).filter(isFailure)).toEqual(failures);
});
