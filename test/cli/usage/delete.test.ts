import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { addCounts } from '../../support/history/counts.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the history of an owner is deleted, with the reason in the audit log', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await addCounts(admin.history, { keyId: id, operation: 'getPet', minute: NOW - 60_000 });
  const args = ['usage', 'delete', '--owner', 'acme', '--reason', 'asked for it'];
  expect(await cli.text(...args)).toMatch(/^The history of 1 key of acme is deleted \(\d+ rows\)\.\n$/);
  expect((await admin.get('/v1/usage?by=key')).body.series).toEqual([]);
  expect((await admin.get('/v1/audit?action=usage.delete')).body.items[0]).toMatchObject({ reason: 'asked for it' });
  expect(await cli.json(...args)).toEqual({ owner: 'acme', keys: 1, rows: 0 });
});

test('an owner without keys, which may be a misspelt one, is told as such', async () => {
  expect(await cli.text('usage', 'delete', '--owner', 'acmee', '--reason', 'a')).toBe(
    'No key is of acmee, so there is nothing to delete.\n',
  );
});

test('it needs an owner and a reason', async () => {
  expect((await cli.run(['usage', 'delete', '--owner', 'acme'])).code).toBe(2);
  expect((await cli.run(['usage', 'delete', '--reason', 'a'])).code).toBe(2);
});
