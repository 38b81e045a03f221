import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { quoteWord } from '../../../src/base/portable/shell.ts';

/** Names that come from elsewhere and become part of a line that an operator pastes into a shell. */
const HOSTILE = [
  "'; echo pwned; '",
  '$(echo pwned)',
  '`echo pwned`',
  '--help',
  '-n',
  'a"b\\c',
  '!!',
  '',
  '日本 ✓',
  '*',
];

test.each(HOSTILE)('the shell receives the quoted text %j unchanged', (word) => {
  const told = execFileSync('sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' });
  expect(told).toBe(word);
});
