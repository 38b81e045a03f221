import { expect, test } from '@jest/globals';
import { listFromText, listInText } from './list.ts';

test.each([
  ['', null],
  [' , ', null],
  ['getPet', ['getPet']],
  ['getPet, tag:orders,getPet', ['getPet', 'tag:orders']],
])('%j is read as %j', (text, list) => {
  expect(listFromText(text)).toEqual(list);
  expect(listFromText(listInText(list))).toEqual(list);
});
