import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentJson } from './pretty-json.ts';

test('any JSON is formatted as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
    { examples: [['{}'], ['[]'], ['[[],{}]'], ['"a:{[,"'], ['-0.5'], ['["{"]']] },
  );
});

// The response contains the exact 64-bit id, so the screen must show it without rounding.
test('large numbers keep their digits', () => {
  expect(indentJson('{"id":9007199254740993}')).toBe('{\n  "id": 9007199254740993\n}');
});

test.each(['<html>', '', '{"a":', 'plain text, with: signs'])('%j stays unchanged', (text) => {
  expect(indentJson(text)).toBe(text);
});
