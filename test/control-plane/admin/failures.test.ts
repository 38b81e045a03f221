import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AdmissionStore } from '../../../src/data-plane/admission/store.ts';
import { ReportTimeout, StoreUnavailable } from '../../../src/base/error-types.ts';
import type { HistoryStore } from '../../../src/control-plane/history/store/history-store.ts';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const wanted = { name: 'a', owner: 'a', plan: 'free' };

test('a change returns 503 and writes nothing while the database is read-only', async () => {
  admin.database.sqlite.exec('PRAGMA query_only = ON');
  const response = await admin.post('/v1/keys', wanted);
  expectError(response, 503, 'store_unavailable');
  expect(response.headers.get('retry-after')).toBe('1');
  admin.database.sqlite.exec('PRAGMA query_only = OFF');
  expect((await admin.get('/v1/keys')).body.items).toEqual([]);
});

test('a lift of a ban that could not be recorded is recorded by the next attempt', async () => {
  const { id } = (await admin.post('/v1/keys', wanted)).body;
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  admin.database.sqlite.exec('PRAGMA query_only = ON');
  expectError(await admin.delete(`/v1/keys/${id}/ban`), 503, 'store_unavailable');
  admin.database.sqlite.exec('PRAGMA query_only = OFF');
  const again = ['again', 'meanwhile'].map((reason) => admin.delete(`/v1/keys/${id}/ban`, { reason }));
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([204, 204]);
  expect((await admin.delete(`/v1/keys/${id}/ban`)).status).toBe(204);
  const [ban] = (await admin.get('/v1/bans')).body.items;
  expect(ban).toMatchObject({ status: 'lifted', lift: { reason: expect.stringMatching(/^(?:again|meanwhile)$/) } });
  const events = (await admin.get('/v1/events?type=key.unbanned')).body.items;
  expect(events).toHaveLength(1);
});

test('operations that need the store return 503 while it is unavailable', async () => {
  const { id } = (await admin.post('/v1/keys', wanted)).body;
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  const unavailable = () => Promise.reject(new StoreUnavailable('away'));
  const store: AdmissionStore = {
    ...admin.store,
    admit: unavailable,
    inspect: unavailable,
    ban: unavailable,
    lift: unavailable,
    reset: unavailable,
  };
  const other = await startAdmin({ registry: admin.registry, store });
  expectError(await other.get(`/v1/keys/${id}/usage`), 503, 'store_unavailable');
  expectError(await other.put(`/v1/keys/${id}/ban`, { seconds: 1, reason: 'a' }), 503, 'store_unavailable');
  expectError(await other.get('/v1/bans'), 503, 'store_unavailable');
  expect((await other.get('/v1/keys')).status).toBe(200);
  await other.stop();
});

test('a report that took too long returns an error that says so, instead of one about an unavailable store', async () => {
  const violations = () => Promise.reject(new ReportTimeout());
  const history = Object.assign(Object.create(admin.history) as HistoryStore, { violations });
  const other = await startAdmin({ registry: admin.registry, history });
  const response = await other.get('/v1/violations');
  expectError(response, 503, 'report_timeout');
  expect(response.body.message).toBe(
    'The report took too long, and was ended. Ask for a shorter period, or for fewer keys.',
  );
  await other.stop();
});

test('an internal error returns 500, with details only in the log', async () => {
  admin.database.sqlite.exec('ALTER TABLE keys RENAME TO lost');
  const response = await admin.call('GET', '/v1/keys/a', { headers: { 'X-Request-Id': 'fault' } });
  expectError(response, 500, 'internal_error');
  expect(response.text).not.toContain('lost');
  const lines = admin.logs.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'fault');
  expect(lines.map(({ msg, level }) => [msg, level])).toEqual([
    ['admin request failed', 50],
    ['admin response', 50],
  ]);
});
