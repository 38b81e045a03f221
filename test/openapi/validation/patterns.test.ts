import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern, Patterns } from '../../../src/openapi/validation/patterns.ts';

/** The JavaScript engine defines the meaning of a pattern, so both must agree. */
test.each([
  ['^[a-z]+$', ['abc', 'abc\n', 'ABC', '']],
  ['a.c', ['abc', 'a\nc', 'a\u2028c', 'a\u{1f600}c']],
  ['^\\s+$', [' ', '\u00a0', '\ufeff', '\u2003', 'x', '\v']],
  ['^[\\S]$', ['a', '\u3000', '-']],
  ['[[:alpha:]]', ['a]', 'b', ':]']],
  ['^[\\w.-]+@x\\.y$', ['a.b-c@x.y', '@x.y', 'é@x.y']],
  ['^\\p{Letter}{2}$', ['éé', '12']],
  ['^\\p{Script=Greek}+$', ['αβγ', 'abc']],
  ['^\\ud83d\\ude00$', ['\u{1f600}', 'x']],
  ['^[^]$', ['a', '\n', '']],
  ['^[]$', ['a', '']],
  ['^(?=.*[A-Z])(?!.*\\s)(?=[^|]*\\d).{8,}$', ['Abcdefg1', 'abcdefg1', 'Abcd efg1', 'Ab1']],
  ['^(?<year>\\d{4})-\\/\\-\\d$', ['2024-/-1', '2024']],
  ['\\bword\\b', ['a word b', 'swords', 'éword']],
  ['^a{,3}$', ['a{,3}', 'aa']],
  ['\\u00e9\\x41\\cA', ['éA\u0001', 'é']],
])('the pattern %s matches the same texts as in JavaScript', (source, texts) => {
  const pattern = compilePattern(source);
  if ('reason' in pattern) throw new Error(pattern.reason);
  let expected: RegExp;
  try {
    expected = new RegExp(source, 'u');
  } catch {
    expected = new RegExp(source);
  }
  expect(texts.map((text) => pattern.test(text))).toEqual(texts.map((text) => expected.test(text)));
});

test.each(['(?=a)b', '^(?=a)b|c', '(a)\\1', '^a{1,2000}$', '(a{1,100}){1,100}', '(', '(?i)a', '(?<=a)b'])(
  'the pattern %s is refused',
  (source) => {
    expect(compilePattern(source)).toEqual({ reason: expect.any(String) });
  },
);

test('patterns of simple parts match the same texts as in JavaScript', () => {
  const atom = fc.constantFrom('a', 'b', '.', '\\d', '\\w', '\\s', '\\S', '[a-c]', '[^a\\s]', '\\.', '-', '(?:ab|c)');
  const part = fc.tuple(atom, fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}')).map((pair) => pair.join(''));
  const source = fc.tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 4 }), fc.constantFrom('', '$'));
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '1', ' ', '\u00a0', '\n', '.', '-', 'é', '\u{1f600}'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(source, text, ([start, parts, end], characters) => {
      const whole = start + parts.join('') + end;
      const pattern = compilePattern(whole);
      if ('reason' in pattern) throw new Error(pattern.reason);
      // V8 14.6 finds no match for /[^a]$/u in a text of one character above U+FFFF. With the flag v, it does.
      expect(pattern.test(characters.join(''))).toBe(new RegExp(whole, 'v').test(characters.join('')));
    }),
    { numRuns: 500 },
  );
});

test('a pattern that is accepted without being compiled can be compiled', () => {
  const atom = fc.constantFrom(
    'a',
    '-',
    ' ',
    '"',
    '\\.',
    '\\/',
    '\\d',
    '\\S',
    '[a-z]',
    '[^\\w.-]',
    '[A-]',
    '[\\d-a]',
    '[z-a]',
    '.',
  );
  const repetition = fc.constantFrom('', '?', '*', '+', '{99}', '{1,99}', '{3,}', '{9,1}', '{1000}', '??', '{,3}');
  const part = fc.tuple(fc.oneof(atom, fc.string({ unit: 'grapheme-ascii', maxLength: 2 })), repetition);
  const parts = fc.array(
    part.map((pair) => pair.join('')),
    { maxLength: 16 },
  );
  fc.assert(
    fc.property(parts, fc.boolean(), (texts, isWhole) => {
      const source = isWhole ? `^${texts.join('')}$` : texts.join('');
      const compiled = compilePattern(source);
      expect(new Patterns().findFault(source)).toBe('reason' in compiled ? compiled.reason : null);
    }),
    { numRuns: 2000 },
  );
});
