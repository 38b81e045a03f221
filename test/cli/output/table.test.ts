import { expect, test } from '@jest/globals';
import { table } from '../../../src/cli/output/table.ts';

test('columns are as wide as they need to be, and numbers stand at the right', () => {
  const columns = [{ title: 'NAME' }, { title: 'COUNT', right: true }];
  expect(
    table(columns, [
      ['a', '5'],
      ['longer', '123456'],
    ]),
  ).toBe('NAME     COUNT\na            5\nlonger  123456\n');
});

test('what is too wide is cut, the widest first, and ids never', () => {
  const columns = [{ title: 'ID', whole: true }, { title: 'A' }, { title: 'B' }];
  const id = 'i'.repeat(60);
  const [, line = ''] = table(columns, [[id, 'a'.repeat(10), 'b'.repeat(200)]]).split('\n');
  expect(line).toBe(`${id}  ${'a'.repeat(10)}  ${'b'.repeat(25)}…`);
  const [, whole = ''] = table(columns, [['i'.repeat(120), 'a'.repeat(10), 'b']]).split('\n');
  expect(whole).toBe(`${'i'.repeat(120)}  aaaaa…  b`);
});

test('wide characters count twice, and joined ones once', () => {
  const [, ...lines] = table(
    [{ title: 'A' }, { title: 'B' }],
    [
      ['日本', '|'],
      ['e\u0301é', '|'],
      ['👩‍👩‍👧‍👦', '|'],
      ['\u2764\ufe0f', '|'],
    ],
  ).split('\n');
  expect(lines).toEqual(['日本  |', 'e\u0301é    |', '👩‍👩‍👧‍👦    |', '\u2764\ufe0f    |', '']);
});

test('nothing in a cell moves the cursor or turns the text around', () => {
  const out = table([{ title: 'A' }], [['\u001b[2Jx\u202ey\nz\u200b']]);
  expect(out).toBe('A\n\ufffd[2Jx\ufffdy\ufffdz\ufffd\n');
});
