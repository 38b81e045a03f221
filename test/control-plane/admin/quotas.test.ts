import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { free } from '../../support/registry-data.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const create = async (over: object = {}) =>
  (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free', ...over })).body;
const limits = free.limits!;

test('the usage of a key includes its rotation chain and shows the current limits', async () => {
  const old = await create();
  await admin.store.admit({ quotaId: old.id, cost: 7, limits, mode: 'enforce' });
  const next = (await admin.post(`/v1/keys/${old.id}/rotate`, {})).body;
  const { body } = await admin.get(`/v1/keys/${next.id}/usage`);
  expect(body).toEqual({
    keyId: next.id,
    quotaId: old.id,
    plan: 'free',
    windows: [
      { name: 'minute', limit: 60, used: 7, remaining: 53, resetsAt: '2026-06-15T12:01:00.000Z' },
      { name: 'day', limit: 1000, used: 7, remaining: 993, resetsAt: '2026-06-16T00:00:00.000Z' },
    ],
    ban: null,
  });
  await admin.patch(`/v1/keys/${next.id}`, { plan: 'enterprise', limits: { minute: 5, day: 50 } });
  expect((await admin.get(`/v1/keys/${next.id}/usage`)).body.windows[0]).toMatchObject({
    limit: 5,
    used: 7,
    remaining: 0,
  });
});

test('a reset clears all windows of usage but not a ban, and is in the audit log', async () => {
  const { id } = await create();
  await admin.store.admit({ quotaId: id, cost: 7, limits, mode: 'enforce' });
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  const { status, body } = await admin.post(`/v1/keys/${id}/usage/reset`, { reason: 'our fault' });
  expect([status, body.windows[0].used, body.windows[1].used]).toEqual([200, 0, 0]);
  expect(body.ban).toEqual({
    from: '2026-06-15T12:00:00.000Z',
    until: '2026-06-15T12:01:00.000Z',
    level: 0,
    manual: true,
  });
  const { items } = (await admin.get(`/v1/audit?subject=${id}&action=usage.reset`)).body;
  expect(items).toEqual([
    expect.objectContaining({
      actor: 'ops',
      reason: 'our fault',
      before: { minuteUsed: 7, dayUsed: 7 },
      after: { keyId: id, minuteUsed: 0, dayUsed: 0 },
    }),
  ]);
});

test('the month is a window like minute and day, and a single window can be reset', async () => {
  const withMonth = { minute: 10, day: 100, month: 500 };
  const { id } = await create({ plan: 'enterprise', limits: withMonth });
  expect((await admin.get(`/v1/keys/${id}`)).body.limits).toEqual(withMonth);
  await admin.store.admit({ quotaId: id, cost: 7, limits: withMonth, mode: 'enforce' });
  const used = ({ windows }: { windows: { name: string; used: number }[] }) =>
    windows.map((window) => `${window.name} ${window.used}`);
  const { body } = await admin.get(`/v1/keys/${id}/usage`);
  expect(used(body)).toEqual(['minute 7', 'day 7', 'month 7']);
  expect(body.windows[2]).toEqual({
    name: 'month',
    limit: 500,
    used: 7,
    remaining: 493,
    resetsAt: '2026-07-01T00:00:00.000Z',
  });
  const reset = (query: string) => admin.post(`/v1/keys/${id}/usage/reset${query}`, {});
  expect(used((await reset('?window=day')).body)).toEqual(['minute 7', 'day 0', 'month 7']);
  expect(used((await reset('?window=month')).body)).toEqual(['minute 7', 'day 0', 'month 0']);
  const [entry] = (await admin.get(`/v1/audit?subject=${id}&action=usage.reset`)).body.items;
  expect(entry).toMatchObject({ before: { monthUsed: 7 }, after: { keyId: id, monthUsed: 0 } });
  expectError(await reset('?window=year'), 400, 'validation_failed', '/query/window');
});

test('the usage of an unknown key can be neither read nor reset', async () => {
  expectError(await admin.get('/v1/keys/none/usage'), 404, 'key_not_found');
  expectError(await admin.post('/v1/keys/none/usage/reset', {}), 404, 'key_not_found');
  const { id } = await create();
  expectError(await admin.post(`/v1/keys/${id}/usage/reset`, { reason: '' }), 400, 'validation_failed', '/reason');
});
