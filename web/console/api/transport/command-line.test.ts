import { expect, test } from '@jest/globals';
import { formatCurlCommand, formatTollgateCommand } from './command-line.ts';

test('options without a value are left out', () => {
  expect(
    formatTollgateCommand(['keys', 'create'], { owner: 'acme', name: 'Shop backend', plan: undefined, reason: '' }),
  ).toBe("tollgate keys create --owner acme --name 'Shop backend'");
});

test('a curl line contains the whole request', () => {
  const line = formatCurlCommand(
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
