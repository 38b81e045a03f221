import { expect, test } from '@jest/globals';
import { isLongerThan } from '../../src/base/json.ts';

test.each<[unknown]>([[null], ['text'], [{}], [[]], [{ a: 'b', c: [1, 2, { d: null }], '': {} }], [[[[[]]], 'x']]])(
  'a value is never reported as longer than its JSON: %j',
  (value) => {
    expect(isLongerThan(JSON.stringify(value).length, value)).toBe(false);
  },
);

test('long texts, names, lists and objects exceed the limit', () => {
  const entries = Array.from({ length: 1000 }, (_, at) => at);
  for (const value of ['x'.repeat(1000), { ['x'.repeat(1000)]: 1 }, entries, Object.fromEntries(entries.entries())]) {
    expect(isLongerThan(900, value)).toBe(true);
    expect(isLongerThan(900, { in: [value] })).toBe(true);
  }
});

test('a large value is read only until it is too long', () => {
  let read = 0;
  const list = Array.from({ length: 1000 }, () => ({
    get field() {
      read += 1;
      return 'x'.repeat(100);
    },
  }));
  expect(isLongerThan(2000, list)).toBe(true);
  expect(read).toBeLessThan(100);
});
