import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';
import { free } from '../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('show', () => {
  test('the usage in each window and the ban of a key are shown, with or without "show"', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.store.admit({ quotaId: id, cost: 7, limits: free.limits!, mode: 'enforce' });
    const windows =
      'WINDOW  USED  LIMIT  REMAINING  RESETS (UTC)\n' +
      'minute     7     60         53  2026-06-15 12:01:00\n' +
      'day        7   1000        993  2026-06-16 00:00:00\n';
    expect(await cli.text('usage', id)).toBe(`Key ${id}, plan free\n\n${windows}\nNot banned.\n`);
    expect(await cli.text('usage', 'show', id)).toBe(await cli.text('usage', id));

    const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
    await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
    const out = await cli.text('usage', next.id);
    expect(out).toMatch(new RegExp(`^Key ${next.id}, plan free, shares the quota ${id}\n`));
    expect(out).toMatch(/\nBanned until 2026-06-15 12:01:00 UTC \(manual\)\.\n$/);
    expect(await cli.json('usage', next.id)).toMatchObject({ keyId: next.id, windows: [{ used: 7 }, { used: 7 }] });
  });

  test('the command fails without the id of an existing key', async () => {
    expect((await cli.run(['usage'])).code).toBe(2);
    expect((await cli.run(['usage', 'key_none'])).code).toBe(1);
  });
});

describe('reset', () => {
  test('all windows are reset, and a reason is required', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.store.admit({ quotaId: id, cost: 7, limits: free.limits!, mode: 'enforce' });
    expect(await cli.text('usage', 'reset', id, '--reason', 'our fault')).toMatch(/\nminute +0 +60 +60 /);
    expect((await admin.get(`/v1/audit?action=usage.reset`)).body.items[0]).toMatchObject({ reason: 'our fault' });
    expect(await cli.json('usage', 'reset', id, '--reason', 'again')).toMatchObject({
      keyId: id,
      windows: [{ used: 0 }, {}],
    });
    expect((await cli.run(['usage', 'reset', id])).code).toBe(2);
  });
});

describe('delete', () => {
  test('the history of an owner is deleted, with the reason in the audit log', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await addCounts(admin.history, { keyId: id, operation: 'getPet', minute: NOW - 60_000 });
    const args = ['usage', 'delete', '--owner', 'acme', '--reason', 'asked for it'];
    expect(await cli.text(...args)).toMatch(/^Deleted the history of 1 key of acme \(\d+ rows\)\.\n$/);
    expect((await admin.get('/v1/usage?by=key')).body.series).toEqual([]);
    expect((await admin.get('/v1/audit?action=usage.delete')).body.items[0]).toMatchObject({ reason: 'asked for it' });
    expect(await cli.json(...args)).toEqual({ owner: 'acme', keys: 1, rows: 0 });
  });

  test('an owner without keys is reported, because the name may be misspelled', async () => {
    expect(await cli.text('usage', 'delete', '--owner', 'acmee', '--reason', 'a')).toBe(
      'acmee has no keys: nothing to delete. To see all owners, run "tollgate owners list".\n',
    );
  });

  test('an owner and a reason are required', async () => {
    expect((await cli.run(['usage', 'delete', '--owner', 'acme'])).code).toBe(2);
    expect((await cli.run(['usage', 'delete', '--reason', 'a'])).code).toBe(2);
  });
});
