import { expect, test } from '@jest/globals';
import { formatSetting } from './shown-setting.ts';

test.each([
  ['10s', false, '10s'],
  [0, false, '0'],
  [true, false, 'on'],
  [false, false, 'off'],
  [['1m', '5m'], false, '1m, 5m'],
  [[], false, 'none'],
  [{}, false, 'none'],
  [null, false, null],
  ['set', true, 'set'],
  ['not set', true, null],
  ['not set', false, 'not set'],
])('%j (secret: %s) is shown as %j', (value, secret, shown) => {
  expect(formatSetting({ value, secret })).toBe(shown);
});
