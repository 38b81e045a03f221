import { expect, test } from '@jest/globals';
import { formatCount, pluralize, formatShortCount } from './number.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
  [0.4, '0'],
  [-5, '-5'],
  [-1500, '-1,500'],
])('%d is shown as %s', (value, text) => {
  expect(formatCount(value)).toBe(text);
});

test('a count is shortened from 10,000 on', () => {
  expect([999, 9999, 10_000, 12_345].map(formatShortCount)).toEqual(['999', '9,999', '10K', '12.3K']);
});

test('one is singular', () => {
  expect([pluralize(0, 'key'), pluralize(1, 'key'), pluralize(2, 'entry', 'entries')]).toEqual([
    '0 keys',
    '1 key',
    '2 entries',
  ]);
});
