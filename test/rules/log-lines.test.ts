/** The documents contain every log line, because operators search them for the lines that they see. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/gateway/gateway.ts';
import { findLogLines } from './log-calls.ts';

const ROW = /^\| `(?<message>[^`]+)` +\| (?<level>info|warn|error|fatal) +\| (?<when>[^|]*[^| ]) +\|/gm;

test('docs/operators/logs.md has one row for each message that the gateway can log', () => {
  const text = readFileSync(join(root, 'docs/operators/logs.md'), 'utf8');
  const rows = [...text.matchAll(ROW)].map(({ groups }) => `${groups?.['level']} ${groups?.['message']}`);
  expect(rows.toSorted()).toEqual([...findLogLines(root)].toSorted());
});
