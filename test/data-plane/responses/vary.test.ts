import { expect, test } from '@jest/globals';
import { createComputeVary } from '../../../src/data-plane/responses/vary.ts';

const KEYS = ['X-API-Key', 'Authorization', 'authorization', 'X-Old-Key'];
const ALL = 'X-API-Key, Authorization, X-Old-Key';

test.each([
  ['', '', ALL],
  ['', 'public, max-age=60', ALL],
  ['', 'no-cache', ALL],
  ['Accept', '', `${ALL}, Accept`],
  ['accept-encoding,Accept', '', `${ALL}, accept-encoding, Accept`],
  ['x-api-key, ORIGIN, , Origin', '', `${ALL}, ORIGIN`],
  ['*', '', '*'],
  ['Accept, *', 'no-store', '*'],
  // No shared cache stores responses with these headers.
  ['', 'no-store', ''],
  ['Accept', 'max-age=0, No-Store', 'Accept'],
  ['', 'private', ''],
  ['', 'private , max-age=60', ''],
  // Shared caches store all or some responses with these headers.
  ['', 'private="Set-Cookie"', ALL],
  ['', 'x="a, no-store, b"', ALL],
  ['', 'no-storage', ALL],
  ['', 'not-private', ALL],
])('a service’s Vary: %s with Cache-Control: %s becomes %s', (given, cacheControl, expected) => {
  const computeVary = createComputeVary(KEYS, false);
  // The first result is computed, and the second one comes from the cache.
  for (let time = 0; time < 2; time++) expect(computeVary(given, cacheControl)).toBe(expected);
});

test.each([
  ['', '', `Origin, ${ALL}`],
  ['Accept, origin', 'private', 'Origin, Accept'],
  ['*', '', '*'],
])('with CORS, a service’s Vary: %s with Cache-Control: %s becomes %s', (given, cacheControl, expected) => {
  expect(createComputeVary(KEYS, true)(given, cacheControl)).toBe(expected);
});
