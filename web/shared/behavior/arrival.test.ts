import { expect, test } from '@jest/globals';
import { readArrival } from './arrival.ts';

test.each([
  ['#token=abc-1', { token: 'abc-1', failure: null }],
  ['#sign-in-failed=not_allowed', { token: null, failure: 'not_allowed' }],
  ['', { token: null, failure: null }],
  // A search for "token" must not be taken for a sign-in link.
  ['#/keys?q=token&token=abc', { token: null, failure: null }],
])('the fragment "%s" is read', (fragment, arrival) => {
  expect(readArrival(fragment)).toEqual(arrival);
});
