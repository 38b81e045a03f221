import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../src/errors.ts';
import { ERRORS as petStoreErrors } from '../src/petstore/errors.ts';
import { root } from './support/gateway.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The rows of the table whose first column heads it so, as lists of cells. */
function table(heading: string): string[][] {
  const from = readme.indexOf(`| ${heading} `);
  const lines = readme.slice(from).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('the table of errors is that of the gateway and the pet store', () => {
  const expected = new Map<string, number>();
  for (const [code, { status }] of Object.entries({ ...petStoreErrors, ...errors })) expected.set(code, status);
  const rows = table('code').map(([code = '', status]) => [code.replaceAll('`', ''), Number(status)] as const);
  expect(new Map(rows)).toEqual(expected);
  expect(rows.map(([code]) => code)).toHaveLength(expected.size);
});

test('errors that both answer have the same status', () => {
  for (const [code, { status }] of Object.entries(petStoreErrors)) {
    if (code in errors) expect([code, errors[code as keyof typeof errors].status]).toEqual([code, status]);
  }
});

test('it names no variable that the gateway does not read', () => {
  const named = new Set(readme.match(/TOLLGATE_[A-Z_]+/g));
  const source = readFileSync(join(root, 'src/config/environment.ts'), 'utf8');
  for (const name of named) expect(source).toContain(name);
});
