import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const SIGN_IN = { actor: 'ann', at: NOW, reason: null, subject: 'of-sign-ins', before: null, after: null } as const;

const audit = async (query: string) => (await admin.get(`/v1/audit?${query}`)).body;

test('sign-ins and sign-outs can be left out of the audit log', async () => {
  await admin.registry.appendAudit({ ...SIGN_IN, action: 'session.start' });
  await admin.registry.appendAudit({ ...SIGN_IN, action: 'session.revoke' });
  await admin.registry.appendAudit({ ...SIGN_IN, action: 'account.sign_out' });
  const actions = async (query: string) =>
    (await audit(`subject=of-sign-ins${query}`)).items.map(({ action }: { action: string }) => action);
  expect(await actions('')).toEqual(['account.sign_out', 'session.revoke', 'session.start']);
  expect(await actions('&signIns=true')).toHaveLength(3);
  expect(await actions('&signIns=false')).toEqual(['session.revoke']);
  expectError(await admin.get('/v1/audit?signIns=no'), 400, 'validation_failed', '/query/signIns');
});

test('every change is listed with its actor, time, values and reason, newest first', async () => {
  const expiresAt = '2030-01-01T00:00:00.000Z';
  const { key, ...created } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free', expiresAt }))
    .body;
  admin.time.now += 1000;
  const reason = { 'X-Change-Reason': 'renamed' };
  await admin.call('PATCH', `/v1/keys/${created.id}`, { json: { name: 'b', expiresAt: null }, headers: reason });
  await admin.patch(`/v1/keys/${created.id}`, { name: 'b' });

  const { items, nextCursor } = await audit(`subject=${created.id}`);
  const { lastUsedAt: _used, rotatedTo: _rotated, grace: _grace, ...recorded } = created;
  expect(items).toEqual([
    {
      sequence: expect.any(Number),
      at: '2026-06-15T12:00:01.000Z',
      actor: 'ops',
      action: 'key.update',
      subject: created.id,
      reason: 'renamed',
      message: null,
      bulkId: null,
      before: { name: 'a', expiresAt },
      after: { name: 'b', expiresAt: null },
    },
    {
      sequence: expect.any(Number),
      at: '2026-06-15T12:00:00.000Z',
      actor: 'ops',
      action: 'key.create',
      subject: created.id,
      reason: null,
      message: null,
      bulkId: null,
      before: null,
      after: recorded,
    },
  ]);
  expect(nextCursor).toBeNull();
  expect(JSON.stringify(await audit('limit=100'))).not.toContain(key);
});

test('the audit log can be filtered and paged', async () => {
  expect((await audit('actor=system')).items.map(({ subject }: { subject: string }) => subject)).toEqual([
    'enterprise',
    'pro',
    'free',
  ]);
  const first = await audit('actor=system&limit=2');
  const second = await audit(`actor=system&limit=2&cursor=${first.nextCursor}`);
  expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
  const times = async (query: string) => (await audit(query)).items.map(({ at }: { at: string }) => at.slice(17, 19));
  expect(await times('action=key.update')).toEqual(['01']);
  expect(await times('from=2026-06-15T12:00:01Z')).toEqual(['01']);
  expect(await times('to=2026-06-15T13:00:01%2B01:00&actor=ops')).toEqual(['00']);
});

test.each([
  ['from=yesterday', '/query/from'],
  ['to=1750000000000', '/query/to'],
  ['subject=', '/query/subject'],
  ['cursor=x', '/query/cursor'],
])('the filter %s of the audit log is rejected, and the error names the parameter', async (query, path) => {
  expectError(await admin.get(`/v1/audit?${query}`), 400, 'validation_failed', path);
});

test('the header X-Change-Reason is decoded as UTF-8', async () => {
  const headers = { 'X-Change-Reason': Buffer.from('größer').toString('latin1') };
  const { id } = (await admin.call('POST', '/v1/keys', { json: { name: 'a', owner: 'a', plan: 'free' }, headers }))
    .body;
  expect((await audit(`subject=${id}`)).items).toMatchObject([{ reason: 'größer' }]);
});

test.each(['a\u00e9', 'tg_live_0000000000000000000000000000000000000000000000', 'x'.repeat(501)])(
  'X-Change-Reason is rejected if it is %s',
  async (reason) => {
    const json = { name: 'a', owner: 'a', plan: 'free' };
    const response = await admin.call('POST', '/v1/keys', { json, headers: { 'X-Change-Reason': reason } });
    expectError(response, 400, 'validation_failed', '/header/X-Change-Reason');
  },
);
