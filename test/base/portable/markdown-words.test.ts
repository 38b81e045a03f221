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
])('the line %j has the heading %j', (line, title) => {
  expect(parseHeading(line)).toBe(title);
});
