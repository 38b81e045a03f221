import { expect, test } from '@jest/globals';
import { cachedByName } from '../../src/http/headers.ts';
import { formatRetryAfter } from '../../src/http/retry-after.ts';

test('the result for a header name is cached until too many others follow', () => {
  const asked: string[] = [];
  const isUpperCase = cachedByName((name) => {
    asked.push(name);
    return name === name.toUpperCase();
  });
  expect([isUpperCase('HOST'), isUpperCase('Host'), isUpperCase('HOST'), isUpperCase('Host')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(asked).toEqual(['HOST', 'Host']);

  for (let index = 0; index < 1000; index++) isUpperCase(`X-${index}`);
  isUpperCase('X-999');
  expect(asked).toHaveLength(1002);
  isUpperCase('HOST');
  expect(asked).toHaveLength(1003);
});

test('a long header name is not cached', () => {
  let asked = 0;
  const remembered = cachedByName(() => asked++);
  const name = 'X'.repeat(65);
  expect([remembered(name), remembered(name)]).toEqual([0, 1]);
});

test.each([
  [60_000, '60'],
  [59_001, '60'],
  [1001, '2'],
  [1000, '1'],
  [1, '1'],
  [0, '1'],
])('Retry-After for %d ms is %s', (waitMs, expected) => {
  expect(formatRetryAfter(waitMs)).toBe(expected);
});
