import { describe, expect, test } from '@jest/globals';
import { highlight, MAX_HIGHLIGHTED } from './highlight.ts';

const kinds = (text: string, language: 'json' | 'code') =>
  highlight(text, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text: part }) => `${kind} ${part}`);

test('fields, texts, numbers and words of JSON get different colors', () => {
  expect(kinds('{ "a\\"b": ["c: d", -1.50e3, true, null] }', 'json')).toEqual([
    'name "a\\"b"',
    'string "c: d"',
    'number -1.50e3',
    'keyword true',
    'keyword null',
  ]);
});

test('options, texts and words of code get different colors', () => {
  expect(kinds("# note\ncurl -i 'it'\\''s' --data-raw \"x $Y\"", 'code')).toEqual([
    'comment # note',
    'keyword curl',
    'name -i',
    "string 'it'",
    "string 's'",
    'name --data-raw',
    'string "x $Y"',
  ]);
  expect(kinds('const url = `https://a.example/for?x=1`; // 2', 'code')).toEqual([
    'keyword const',
    'string `https://a.example/for?x=1`',
    'comment // 2',
  ]);
});

test('a JSON body of several lines within code is highlighted as JSON', () => {
  expect(kinds('--data-raw \'{\n    "a": 1\n  }\'', 'code')).toEqual(["string '", 'name "a"', 'number 1', "string '"]);
});

test('text with many line ends is split into tokens quickly', () => {
  const text = `'{${'\n'.repeat(MAX_HIGHLIGHTED - 100)}'`;
  expect(highlight(text, 'code')).toHaveLength(1);
});

describe('nothing is lost or changed', () => {
  test.each(['', '{"a": "', "it's", '"""', '`', '\\', '\u{1F389}"\\u{0}', 'x'.repeat(MAX_HIGHLIGHTED + 1)])(
    '%#',
    (text) => {
      for (const language of ['json', 'code'] as const) {
        const tokens = highlight(text, language);
        expect(tokens.map((token) => token.text).join('')).toBe(text);
      }
    },
  );
});
