import { expect, test } from '@jest/globals';
import { parseList, formatList } from './list.ts';

test.each([
  ['', null],
  [' , ', null],
  ['getPet', ['getPet']],
  ['getPet, tag:orders,getPet', ['getPet', 'tag:orders']],
])('%j is read as %j', (text, list) => {
  expect(parseList(text)).toEqual(list);
  expect(parseList(formatList(list))).toEqual(list);
});
