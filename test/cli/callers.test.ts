/** Commands about keys also work for callers with access tokens, and name the callers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';
import { facts } from '../support/history/refusals.ts';
import { free } from '../support/registry-data.ts';

const REQUEST_ID = 'caller-1';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
let id: string;
beforeAll(async () => {
  const corp = { name: 'corp', issuer: 'https://login.example.com', caller: ['azp', 'sub'] };
  admin = await startAdmin({ tokenIssuers: [corp] });
  cli = createCli(admin);
  ({ id } = await cli.json('keys', 'create', '--token', 'corp', '--caller', 'app-1', '--plan', 'free'));
  await admin.store.admit({ quotaId: id, cost: 7, limits: free.limits!, mode: 'enforce' });
  await addCounts(admin.history, { keyId: id, operation: 'getPet', minute: NOW - 60_000 });
  const refusal = { requestId: REQUEST_ID, quotaId: id, keyId: id, at: NOW - 60_000, facts: { ...facts } };
  await admin.history.keepRefusals([refusal]);
});
afterAll(() => admin.stop());

test('a caller is found and shown under its owner', async () => {
  expect(await cli.text('keys', 'list', '--kind', 'token')).toMatch(new RegExp(`${id}.* corp:app-1 `));
  expect(await cli.json('keys', 'list', '--kind', 'token')).toMatchObject({ items: [{ id, kind: 'token' }] });
  expect((await cli.json('keys', 'list', '--kind', 'secret')).items).toEqual([]);
  expect(await cli.text('keys', 'show', id)).toMatch(/corp:app-1/);
});

test('the current and past usage of a caller are shown', async () => {
  expect(await cli.text('usage', id)).toMatch(new RegExp(`^Key ${id}, plan free\n\n.*\nminute +7 +60 +53 `));
  const period = ['--since', '1h', '--by', 'owner'];
  expect(await cli.text('usage', 'history', ...period)).toMatch(/\ncorp:app-1 /);
  expect(await cli.text('usage', 'history', ...period, '--csv')).toMatch(/^corp:app-1,/m);
  expect(await cli.text('usage', 'history', '--since', '1h', '--key', id, '--by', 'key', '--csv')).toContain(id);
});

test('the refusals of a caller are listed, and their explanations speak of a caller instead of a key', async () => {
  expect(await cli.text('refusals', 'list', '--owner', 'corp:app-1')).toMatch(new RegExp(`${id} +corp:app-1 `));
  const text = await cli.text('explain', REQUEST_ID);
  expect(text).toContain('The caller can call again from ');
  expect(text).not.toMatch(/\bthe key\b/i);
  expect(await cli.text('explain', REQUEST_ID, '--answer')).toMatch(
    /\n\nThe caller app-1 had used 60 of the 60 requests /,
  );
});

test('a caller appears among the callers of an operation and in the audit log', async () => {
  expect(await cli.text('operations', 'callers', 'getPet', '--csv')).toContain(`${id},corp:app-1`);
  expect(await cli.text('audit', 'list', '--subject', id)).toMatch(/key\.create/);
  expect(await cli.text('audit', 'list', '--subject', id, '--csv')).toContain('corp:app-1');
});
