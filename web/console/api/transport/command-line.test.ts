import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { quoted } from '../../../shared/format/shell.ts';
import { curlLine, tollgateLine } from './command-line.ts';

/** Names come from elsewhere and end up in a line that an operator pastes into a shell. */
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

test.each(HOSTILE)('the shell takes %j literally', (word) => {
  const told = execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' });
  expect(told).toBe(word);
});

test('options without a value are left out', () => {
  expect(tollgateLine(['keys', 'create'], { owner: 'acme', name: 'Shop backend', plan: undefined, reason: '' })).toBe(
    "tollgate keys create --owner acme --name 'Shop backend'",
  );
});

test('a curl line contains the whole request', () => {
  const line = curlLine(
    { method: 'PUT', path: '/keys/key_1/ban', body: { seconds: 60, reason: "it's late" } },
    { 'Content-Type': 'application/json' },
  );
  expect(line.split(' \\\n  ')).toEqual([
    'curl -X PUT "$TOLLGATE_ADMIN_URL"/v1/keys/key_1/ban',
    '-H "Authorization: Bearer $TOLLGATE_ADMIN_TOKEN"',
    "-H 'Content-Type: application/json'",
    `--data-raw '{"seconds":60,"reason":"it'\\''s late"}'`,
  ]);
});
