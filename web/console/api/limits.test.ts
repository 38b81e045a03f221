import { expect, test } from '@jest/globals';
import { readLimits } from './limits.ts';

test.each([
  ['60', '1000', { minute: 60, day: 1000 }],
  ['1,000', '10 000', { minute: 1000, day: 10_000 }],
  ['5', '5', { minute: 5, day: 5 }],
  ['', '1000', null],
  ['0', '1000', null],
  ['61', '60', null],
  ['1.5', '60', null],
  ['1e3', '9000', null],
  ['1', '9007199254740993', null],
])('%j a minute and %j a day are %j', (minute, day, limits) => {
  expect(readLimits(minute, day)).toEqual(limits);
});
