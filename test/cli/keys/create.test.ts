import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../src/base/key-format.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

const shop = ['keys', 'create', '--owner', 'acme', '--name', 'Shop backend', '--plan', 'free'];
const SECRET = /tg_live_\w{38}/g;

test('a key is made, and its secret shown once', async () => {
  const out = await cli.text(...shop, '--reason', 'new customer');
  const [secret = '', ...others] = out.match(SECRET) ?? [];
  expect(others).toEqual([]);
  const key = (await admin.registry.findKeyByHash(hashSecret(secret)))?.key;
  expect(key).toMatchObject({ name: 'Shop backend', owner: 'acme', plan: 'free' });
  expect(out).toBe(
    `Key ${key?.id} of acme is made, on the plan free.\n` +
      `Its secret is shown this once, and kept nowhere:\n\n  ${secret}\n\n`,
  );
  const { items } = (await admin.get(`/v1/audit?subject=${key?.id}`)).body;
  expect(items).toEqual([expect.objectContaining({ action: 'key.create', reason: 'new customer' })]);
});

test('programs get one JSON document, with the secret in key', async () => {
  const made = await cli.json(...shop);
  expect(await admin.registry.findKeyByHash(hashSecret(made.key))).toMatchObject({ key: { id: made.id } });
});

test('a key on a custom plan carries its limits, and any key may expire', async () => {
  const args = ['--plan', 'enterprise', '--minute', '5', '--day', '10', '--expires-at', '2030-01-01T00:00:00+01:00'];
  const made = await cli.json('keys', 'create', '--owner', 'acme', '--name', 'a', ...args);
  expect(made).toMatchObject({ limits: { minute: 5, day: 10 }, expiresAt: '2029-12-31T23:00:00.000Z' });
});

test.each([
  [['keys', 'create', '--owner', 'acme', '--plan', 'free'], "tollgate: required option '--name <name>' not specified"],
  [[...shop, '--minute', '5'], 'tollgate: --minute and --day go together'],
  [[...shop, '--minute', 'five', '--day', '9'], 'It must be a whole number, at least 1.'],
  [[...shop, '--minute', '0', '--day', '9'], 'It must be a whole number, at least 1.'],
  [[...shop, '--expires-at', 'tomorrow'], 'It must be a date-time with its offset'],
  [[...shop, '--reason', ' '], 'It must be 1 to 500 characters, on one line.'],
  [[...shop, '--reason', 'two\nlines'], 'It must be 1 to 500 characters, on one line.'],
  [[...shop, '--reason', 'a\u202eb'], 'It must not have the invisible character U+202E'],
  [[...shop, '--token', 'x'], "tollgate: unknown option '--token'"],
  [[...shop, 'more'], 'tollgate: too many arguments'],
])('%j is a wrong command line', async (args, message) => {
  const { code, out, err } = await cli.run(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('what the gateway refuses is told field by field', async () => {
  const { code, out, err } = await cli.run(['keys', 'create', '--owner', 'ä', '--name', ' ', '--plan', 'gold']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    'tollgate: the gateway does not take this:\n' +
      '  name must be text without control characters, and not blank\n' +
      '  owner must be printable ASCII, with no space at either end\n',
  );
  const unknown = await cli.run(['keys', 'create', '--owner', 'a', '--name', 'a', '--plan', 'gold']);
  expect(unknown.err).toContain('plan must be the id of a plan: there is no plan gold');
});
