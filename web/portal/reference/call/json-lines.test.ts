import { expect, test } from '@jest/globals';
import { bodyLines, firstFolds, matchingLines, unfoldAround, visibleLines } from './json-lines.ts';

const BODY = '{"id":9223372036854775807,"tags":["a",{"b":{}}],"text":"{ ["}';
const lines = bodyLines(BODY);

test('objects and lists of JSON can be folded, and numbers keep their digits', () => {
  expect(lines.map(({ text, end }) => [text.trim(), end])).toEqual([
    ['{', 9],
    ['"id": 9223372036854775807,', null],
    ['"tags": [', 7],
    ['"a",', null],
    ['{', 6],
    ['"b": {}', null],
    ['}', null],
    ['],', null],
    ['"text": "{ ["', null],
    ['}', null],
  ]);
  expect(visibleLines(lines, new Set([2]))).toEqual([0, 1, 2, 8, 9]);
  expect(visibleLines(lines, new Set())).toHaveLength(10);
});

test('the search finds a text, and opens the folded blocks around it', () => {
  expect(matchingLines(lines, 'B"')).toEqual([5]);
  expect(matchingLines(lines, '')).toEqual([]);
  expect([...unfoldAround(lines, new Set([0, 2, 4]), 3)]).toEqual([4]);
});

test('a long body starts with its deepest blocks folded', () => {
  const long = bodyLines(JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, in: { a: 1 } }))));
  expect(visibleLines(long, firstFolds(long)).length).toBeLessThan(long.length);
  expect(firstFolds(lines).size).toBe(0);
});

test.each(['', 'text', '{ "broken": [\n1', ']\n}', '<p>{</p>\n['])('%j, which is not JSON, stays as it is', (text) => {
  const read = bodyLines(text);
  expect(read.map((line) => line.text).join('\n')).toBe(text);
  expect(visibleLines(read, new Set()).length).toBe(read.length);
});
