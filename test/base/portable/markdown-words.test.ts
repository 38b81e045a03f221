import { expect, test } from '@jest/globals';
import { parseHeading } from '../../../src/base/portable/markdown-words.ts';

test.each([
  ['# Limits', 'Limits'],
  ['   ###### Limits ##  ', 'Limits'],
  ['## C#', 'C#'],
  ['## C# #', 'C#'],
  ['# #', ''],
  ['# ', ''],
  ['#', null],
  ['#Limits', null],
  ['####### Limits', null],
  ['    # code', null],
  ['Limits #', null],
])('the title in %j is %j', (line, title) => {
  expect(parseHeading(line)).toBe(title);
});
