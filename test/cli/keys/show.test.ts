import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('a key is shown whole, and never its secret', async () => {
  const limits = { minute: 5, day: 50 };
  const metadata = { ticket: 'T-1' };
  const given = { name: 'a\u200bb', owner: 'acme', plan: 'enterprise', limits, metadata };
  const { key, ...made } = (await admin.post('/v1/keys', given)).body;
  const out = await cli.text('keys', 'show', made.id);
  expect(out.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    `id: ${made.id}`,
    // What cannot be seen is marked.
    'name: a\ufffdb',
    'owner: acme',
    'plan: enterprise',
    'limits: 5 a minute, 50 a day',
    'status: active',
    `secret: ${made.prefix}…${made.lastFour}`,
    'created: 2026-06-15 12:00:00 UTC',
    'expires: never',
    'last used: never',
    `counts as: ${made.id}`,
    'replaced by: none',
    'ticket: T-1',
    '',
  ]);
  expect(out).not.toContain(key);
  expect(await cli.json('keys', 'show', made.id)).toEqual(made);
});

test('an id that is none is told, and where the ids are', async () => {
  const { code, out, err } = await cli.run(['keys', 'show', 'key_none']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe('tollgate: There is no key key_none.\n  "tollgate keys list" shows the ids\n');
});

// A secret in the place of an id went to the gateway as part of a path, into the logs on the way, and nobody was told
// that it now stands in the history of the shell.
test.each(
  [
    'keys show',
    'keys rotate',
    'keys revoke',
    'usage',
    'bans lift --reason x',
    'bans list --key',
    'audit list --subject',
    'keys',
    'keys show key_a',
    '',
  ].map((words) => [words]),
)('a secret that is typed after "%s" is not sent, not shown, and warned of', async (words) => {
  const secret = `tg_live_${'aB3'.repeat(12)}zz`;
  const before = admin.logs.length;
  const { code, out, err } = await cli.run([...words.split(' ').filter(Boolean), secret]);
  expect([code, out]).toEqual([2, '']);
  expect(err).not.toContain(secret.slice(0, 20));
  // Of a word too many, or of no command, only the secret is left out.
  if (!['keys', 'keys show key_a', ''].includes(words))
    expect(err).toMatch(/is the secret of a key, .* history of your shell/);
  expect(admin.logs).toHaveLength(before);
});

test.each([
  ['..', 2],
  ['', 2],
  ['../plans', 1],
  ['%2e%2e', 1],
  ['a b?c#d', 1],
])('the id %j leads nowhere else', async (id, expected) => {
  const { code, out } = await cli.run(['keys', 'show', id]);
  expect([code, out]).toEqual([expected, '']);
});
