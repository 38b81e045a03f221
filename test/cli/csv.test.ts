import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCsvLine } from '../../src/base/portable/csv-line.ts';
import { readCsv } from '../../src/cli/csv.ts';

const parseCells = (text: string) => readCsv(text).records.map(({ cells }) => cells);

test.each([
  [
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '\ufeffa,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [' a , b ', [['a', 'b']]],
  ['"a, b","say ""hi""",""', [['a, b', 'say "hi"', '']]],
  [
    ',\n,',
    [
      ['', ''],
      ['', ''],
    ],
  ],
  ['a,', [['a', '']]],
  ['\n\na\n\n', [['a']]],
  ['', []],
])('the CSV %j is parsed', (text, expected) => {
  expect(readCsv(text)).toEqual({ records: expect.anything(), errors: [] });
  expect(parseCells(text)).toEqual(expected);
});

test('a record has the number of its first line, even after a cell with several lines', () => {
  const { records } = readCsv('a\n\n"b\n\nb"\nc\r\n"d\r\nd"\r\ne');
  expect(records.map(({ line, cells }) => [line, cells[0]?.[0]])).toEqual([
    [1, 'a'],
    [3, 'b'],
    [6, 'c'],
    [7, 'd'],
    [9, 'e'],
  ]);
});

test.each(['\n', '\r\n', '\r'])(
  'if lines end with %j, misplaced quotes are reported by line and the other records are parsed',
  (lineEnd) => {
    const text = ['a', 'b"c,d', 'e', '"f" g', 'h', '"i,j', 'k'].join(lineEnd);
    const { records, errors } = readCsv(text);
    expect(errors).toEqual([
      { line: 2, what: expect.stringContaining('misplaced quote') },
      { line: 4, what: expect.stringContaining('misplaced quote') },
      { line: 6, what: expect.stringContaining('misplaced quote') },
    ]);
    expect(records.map(({ cells }) => cells[0])).toEqual(['a', 'e', 'h', 'k']);
  },
);

test('cells that were written are parsed unchanged', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '\ufeff', 'é') })
    .filter((text) => !/^[\r\n]/.test(text));
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
  fc.assert(
    fc.property(rows, (given) => {
      const text = given.map(formatCsvLine).join('');
      // Texts with a byte order mark at the beginning are left out, because the mark is not part of the text.
      fc.pre(!text.startsWith('\ufeff'));
      expect(parseCells(text)).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

/** The attack (CSV injection): consumers choose names that a spreadsheet could run as formulas. */
test.each(['=HYPERLINK("http://127.0.0.1/")', '+1', '-1', '@SUM(A1)'])(
  'a spreadsheet does not take the written cell %j for a formula',
  (text) => {
    expect(parseCells(formatCsvLine([text, -1, 'a=b', null]))).toEqual([[`'${text}`, '-1', 'a=b', '']]);
  },
);

test.each([
  ['＝1', "'＝1"],
  ['\n=1', "\n'=1"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  ['x;=1+1;-y', "x;'=1+1;'-y"],
  ['x;"=1+1', `x;"'=1+1`],
  ['x; "" @SUM(A1)', `x; "" '@SUM(A1)`],
  ['a\n=1', "a\n'=1"],
  ['a\t-1', "a\t'-1"],
  [' =1', "' =1"],
  ['a - b', 'a - b'],
  ['"-1"', '"-1"'],
])('a spreadsheet takes no part of the written cell %j for a formula, whatever its list separator', (text, written) => {
  expect(parseCells(formatCsvLine([text, 'a;b']))).toEqual([[written, 'a;b']]);
});

/**
 * Splits a line into cells like a lenient spreadsheet, which drops quotes around a part of a cell or in front of it.
 */
const cellsAtSemicolons = (line: string) => line.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"]+/, ''));

test('no cell begins a formula if a spreadsheet splits the file at semicolons', () => {
  const part = fc.constantFrom(';', '"', ' ', '=', '+', '-', '@', '＝', '\t', '\r', '\n', ',', 'x', "'");
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (cell) => {
      // The first cell is left out, because it begins like a comma-separated one.
      for (const split of cellsAtSemicolons(formatCsvLine(['x', cell, 'y'])).slice(1))
        expect(split).not.toMatch(/^[=+\-@＝]/);
    }),
    { numRuns: 2000 },
  );
});

/** With quadratic time, this would take hours. */
test('long files and long cells are parsed in linear time', () => {
  const long = `"${'x""'.repeat(300_000)}"`;
  expect(parseCells(`${'a,b\n'.repeat(100_000)}${long}\n${'"'.repeat(100_001)}`)).toHaveLength(100_001);
});
