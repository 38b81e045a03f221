import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const csv = (path: string, accept = 'text/csv') => admin.call('GET', path, { headers: { Accept: accept } });

/** The console once exported only the entries that it had loaded. */
test('the audit log is returned as CSV on request, with a link to the next page', async () => {
  const headers = { 'X-Change-Reason': '=HYPERLINK("x"),1' };
  const json = { name: 'a', owner: 'acme', plan: 'free' };
  const { id } = (await admin.call('POST', '/v1/keys', { json, headers })).body;
  await admin.patch(`/v1/keys/${id}`, { name: 'b' });

  const first = await csv(`/v1/audit?subject=${id}&from=2026-06-15T12:00:00%2B00:00&limit=1`);
  expect([first.status, first.headers.get('content-type'), first.headers.get('vary')]).toEqual([
    200,
    'text/csv',
    'Accept',
  ]);
  expect(first.text.split('\n')).toEqual([
    'sequence,at,actor,action,subject,reason,before,after,bulkId,message',
    expect.stringMatching(
      new RegExp(`^\\d+,2026-06-15T12:00:00.000Z,ops,key.update,${id},,"{""name"":""a""}","{""name"":""b""}",,$`),
    ),
    '',
  ]);
  const next = /^<(\S+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await csv(next);
  expect(second.text.split('\n')[1]).toMatch(
    new RegExp(`,ops,key.create,${id},"'=HYPERLINK\\(""x""\\),1",,"{""name"":""a"",""owner"":""acme"",`),
  );
  expect(second.headers.get('link')).toBeNull();
  expect((await csv('/v1/audit', 'application/json')).body.items.length).toBeGreaterThan(1);
  expect((await admin.call('GET', '/v1/audit', { token: VIEWER, headers: { Accept: 'text/csv' } })).status).toBe(200);
});

test('a page of the audit log as CSV has at most a thousand entries', async () => {
  expect((await csv('/v1/audit?limit=1000')).status).toBe(200);
  expect((await csv('/v1/audit?limit=1001')).status).toBe(400);
});
