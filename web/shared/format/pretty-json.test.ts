import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prettyJson } from './pretty-json.ts';

test('any JSON is laid out as JSON.stringify would', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
    { examples: [['{}'], ['[]'], ['[[],{}]'], ['"a:{[,"'], ['-0.5'], ['["{"]']] },
  );
});

// An id of 64 bits is exact in the answer, and must be in what is shown of it.
test('large numbers keep their digits', () => {
  expect(prettyJson('{"id":9007199254740993}')).toBe('{\n  "id": 9007199254740993\n}');
});

test.each(['<html>', '', '{"a":', 'plain text, with: signs'])('%j stays as it is', (text) => {
  expect(prettyJson(text)).toBe(text);
});
