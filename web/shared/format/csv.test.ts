import { expect, test } from '@jest/globals';
import { readCsv } from '../../../src/cli/csv.ts';
import { toCsv } from './csv.ts';

test('written cells are read back', () => {
  const rows = [
    ['a "quoted" name', 'two\r\nlines', 'x,y'],
    ['<script>', '', '日本'],
  ];
  const { records, errors } = readCsv(toCsv(['name', 'owner', 'plan'], rows));
  expect(errors).toEqual([]);
  expect(records.map(({ cells }) => cells)).toEqual([['name', 'owner', 'plan'], ...rows]);
});

// A consumer may choose a name; an operator who opens the list in a spreadsheet must not run it.
test.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is not a formula', (name) => {
  const [, record] = readCsv(toCsv(['name'], [[name]])).records;
  expect(record?.cells[0]).toBe(`'${name}`);
});

test('nor is a part of a cell, where a spreadsheet splits at semicolons', () => {
  expect(toCsv(['name'], [['x;=1+1']])).toBe("name\r\nx;'=1+1\r\n");
});

test('numbers and missing values are written', () => {
  expect(toCsv(['a', 'b'], [[-1, null]])).toBe('a,b\r\n-1,\r\n');
});
