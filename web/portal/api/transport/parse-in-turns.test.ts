import { expect, test } from '@jest/globals';
import { parseInTurns } from './parse-in-turns.ts';

test.each([
  '{}',
  ' { } ',
  '[1, {"a": 2}]',
  '"text"',
  '{"a": {"b": {"c": {"d": [1, "}", "\\"{", "\\\\"]}}}, "e": null , "f":-1.5e3}',
  '{"__proto__": {"a": 1}, "constructor": {}, "a": 1, "a": 2}',
  `{\n  "paths": {"/a\\u0041": {"get": {}}, "": {}},\t"list": [[], {}]\r\n}`,
])('%j is parsed as by JSON.parse', async (text) => {
  const parsed = await parseInTurns(text, 0);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
});

test.each([
  '',
  '{',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1 2}',
  '{"a":1}}',
  '{"a":1} x',
  '{"a":[1}',
  '{a:1}',
  '{"a":"',
])('%j is refused', async (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  await expect(parseInTurns(text, 0)).rejects.toThrow(SyntaxError);
});
