import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalText, toJsonValue } from '../../../src/openapi/validation/canonical.ts';
import { canonicalNumber, ExactNumber } from '../../../src/openapi/validation/decimal.ts';
import { type JsonFault, type JsonValue, readJson } from '../../../src/openapi/validation/read-json.ts';

function read(text: string): unknown {
  try {
    return canonicalText(readJson(Buffer.from(text)));
  } catch (error) {
    return (error as JsonFault).kind;
  }
}

/** Reads a text, with numbers as `JSON.parse` would round them. */
function readRounded(text: string): unknown {
  try {
    return canonicalText(rounded(readJson(Buffer.from(text))));
  } catch (error) {
    return (error as JsonFault).kind;
  }
}

function rounded(value: JsonValue): JsonValue {
  if (value instanceof ExactNumber) return Number(canonicalNumber(value));
  if (value instanceof Map)
    return new Map(Array.from(value as Map<string, JsonValue>, ([name, one]) => [name, rounded(one)]));
  return Array.isArray(value) ? value.map(rounded) : value;
}

function parse(text: string): unknown {
  try {
    return canonicalText(toJsonValue(JSON.parse(text)));
  } catch {
    return 'not_json';
  }
}

test('values are the same as those that JSON.parse returns', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => expect(readRounded(text)).toBe(parse(text))));
});

test('texts that are almost JSON are refused where JSON.parse refuses them', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"\\u0041"',
    '"\\u00',
    '"',
    '\\',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'nul',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\0',
  );
  const edited = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), piece)
    .map(([text, at, one]) => text.slice(0, at % (text.length + 1)) + one + text.slice(at % (text.length + 1)));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 10 }).map((all) => all.join('')),
        edited,
      ),
      (text) => {
        const result = readRounded(text);
        if (result !== 'duplicate_name') expect(result).toBe(parse(text));
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  ['{"a":1,"\\u0061":2}', 'duplicate_name'],
  ['{"a":{"b":1,"b":1}}', 'duplicate_name'],
  ['{"a":{"b":1},"b":{"a":1}}', '{"a":{"b":1},"b":{"a":1}}'],
  [`${'['.repeat(101)}${']'.repeat(101)}`, 'too_complex'],
  [`${'['.repeat(100)}${']'.repeat(100)}`, `${'['.repeat(100)}${']'.repeat(100)}`],
  [`[${'1,'.repeat(80_000)}1]`, 'too_complex'],
  ['9'.repeat(501), 'too_complex'],
  [
    '[9007199254740993,0.1000000000000000055511151231257827]',
    '[9007199254740993,1000000000000000055511151231257827e-34]',
  ],
  ['[1e2,100.0,1E+2,-0]', '[100,100,100,0]'],
  ['"\\ud800"', '"\\ud800"'],
])('the text %.40s keeps its exact value or is refused', (text, expected) => {
  expect(read(text)).toBe(expected);
});
