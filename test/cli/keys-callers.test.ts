import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  const corp = { name: 'corp', issuer: 'https://login.example.com', caller: ['azp', 'sub'] };
  admin = await startAdmin({ tokenIssuers: [corp] });
  cli = createCli(admin);
});
afterEach(() => admin.stop());

test('a caller with access tokens can be added, found by its kind, and forgotten', async () => {
  const out = await cli.text('keys', 'create', '--token', 'corp', '--caller', 'app-1', '--plan', 'pro');
  const [id = ''] = /key_\w{20}/.exec(out) ?? [];
  expect(out).toContain('It has no secret: its access tokens are accepted from now on.\n');
  const listed = await cli.json('keys', 'list', '--kind', 'token');
  expect(listed.items).toEqual([expect.objectContaining({ id, owner: 'corp:app-1', plan: 'pro' })]);
  expect((await cli.json('keys', 'list', '--token', 'corp')).items).toEqual(listed.items);
  expect((await cli.json('keys', 'disable', '--token', 'corp', '--dry-run')).keys).toBe(1);
  expect(await cli.text('keys', 'forget', id, '--yes')).toMatch(`Forgot key ${id}.`);
  expect(await admin.registry.getKey(id)).toBeNull();
});

test('a key with a secret cannot be forgotten, and the error suggests to revoke it', async () => {
  const { id } = await cli.json('keys', 'create', '--owner', 'acme', '--name', 'a', '--plan', 'free');
  const { code, err } = await cli.run(['keys', 'forget', id, '--yes']);
  expect(code).toBe(1);
  expect(err).toMatch(/revoke/i);
  expect(await admin.registry.getKey(id)).toMatchObject({ status: 'active' });
});

test('--caller needs --token, and --token needs --caller', async () => {
  const shop = ['keys', 'create', '--owner', 'acme', '--name', 'a', '--plan', 'free'];
  expect((await cli.run([...shop, '--caller', 'app-1'])).err).toContain('--caller and --claim require --token');
  expect((await cli.run(['keys', 'create', '--token', 'corp'])).err).toContain('--token requires --caller');
});
