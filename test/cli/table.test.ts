import { expect, test } from '@jest/globals';
import { formatTable } from '../../src/cli/table.ts';

test('columns are as wide as their widest cell, and numbers are aligned right', () => {
  const columns = [{ title: 'NAME' }, { title: 'COUNT', right: true }];
  expect(
    formatTable(
      columns,
      [
        ['a', '5'],
        ['longer', '123456'],
      ],
      null,
    ),
  ).toBe('NAME     COUNT\na            5\nlonger  123456\n');
});

test('cells except ids are truncated to fit a terminal, widest column first', () => {
  const columns = [{ title: 'ID', whole: true }, { title: 'A' }, { title: 'B' }];
  const [id, a, b] = ['i'.repeat(60), 'a'.repeat(10), 'b'.repeat(200)];
  const line = (row: readonly string[], width: number | null) => formatTable(columns, [row], width).split('\n')[1];
  expect(line([id, a, b], 100)).toBe(`${id}  ${a}  ${'b'.repeat(25)}…`);
  expect(line([id, a, b], 110)).toBe(`${id}  ${a}  ${'b'.repeat(35)}…`);
  expect(line([id, a, b], null)).toBe(`${id}  ${a}  ${b}`);
  expect(line(['i'.repeat(120), a, 'b'], 100)).toBe(`${'i'.repeat(120)}  aaaaa…  b`);
});

test('a wide character takes two columns, and combined characters take the space of one', () => {
  const [, ...lines] = formatTable(
    [{ title: 'A' }, { title: 'B' }],
    [
      ['日本', '|'],
      ['e\u0301é', '|'],
      ['👩‍👩‍👧‍👦', '|'],
      ['\u2764\ufe0f', '|'],
    ],
    100,
  ).split('\n');
  expect(lines).toEqual(['日本  |', 'e\u0301é    |', '👩‍👩‍👧‍👦    |', '\u2764\ufe0f    |', '']);
});

test('control characters in a cell are replaced', () => {
  const out = formatTable([{ title: 'A' }], [['\u001b[2Jx\u202ey\nz\u200b']], 100);
  expect(out).toBe('A\n\ufffd[2Jx\ufffdy\ufffdz\ufffd\n');
});
