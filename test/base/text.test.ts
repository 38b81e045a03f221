import { expect, test } from '@jest/globals';
import { findTextFault, findTextFaults } from '../../src/base/text.ts';

const CONTROLS = ['061C', '200E', '200F', '202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'];
const HALVES = ['D800', 'DBFF', 'DC00', 'DFFF'];

test.each(CONTROLS)('the character U+%s is refused', (name) => {
  expect(findTextFault(`a${String.fromCharCode(parseInt(name, 16))}b`)).toBe(
    `must not contain the invisible character U+${name}, which changes the order in which text is displayed`,
  );
});

test.each(HALVES)('an unpaired surrogate U+%s is refused', (name) => {
  const half = String.fromCharCode(parseInt(name, 16));
  for (const text of [half, `a${half}`, `${half}a`, `\u{1f600}${half}`]) {
    expect(findTextFault(text)).toBe(`must not contain half of a character (the unpaired surrogate U+${name})`);
  }
});

test.each(['', 'Zoë', 'שלום', 'مرحبا', '\u{1f600}', 'a\u200db', 'a\u200bb', '\u202f', '\u2065', '\u206a'])(
  'the text %j is accepted',
  (text) => {
    expect(findTextFault(text)).toBeNull();
  },
);

test('every string in a value is checked for forbidden characters, including field names', () => {
  const value = { a: ['x', { b: '\u202e' }], '\u2066c': 1, d: null, e: 7 };
  expect(findTextFaults(value)).toEqual([
    { at: [], message: expect.stringMatching(/^has a field whose name must not .*U\+2066/) },
    { at: ['a', 1, 'b'], message: expect.stringMatching(/U\+202E/) },
  ]);
  expect(findTextFaults('\u202e')).toEqual([{ at: [], message: expect.any(String) }]);
});

test('values may be nested deeper than the stack allows', () => {
  let value: unknown = '\u202e';
  for (let depth = 0; depth < 200_000; depth++) value = [value];
  expect(findTextFaults(value).map(({ at }) => at.length)).toEqual([200_000]);
});
