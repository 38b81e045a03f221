import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { addCounts } from '../../../support/history/counts.ts';

const MINUTE = 60_000;

let admin: Admin;
let busy: string;
/** A key that is on another plan. */
let elsewhere: string;
beforeAll(async () => {
  admin = await startAdmin();
  const create = async (owner: string, plan: string) =>
    (await admin.post('/v1/keys', { name: 'a', owner, plan })).body.id as string;
  busy = await create('acme', 'free');
  const quiet = await create('globex', 'free');
  elsewhere = await create('initech', 'pro');
  const row = { operation: 'getPet', minute: NOW - 10 * MINUTE };
  await addCounts(
    admin.history,
    { ...row, keyId: busy, requests: 21 },
    // The units that were refused count, too.
    { ...row, keyId: busy, minute: NOW - 5 * MINUTE, requests: 20 },
    {
      ...row,
      keyId: busy,
      minute: NOW - 5 * MINUTE,
      outcome: 'rate_limit_exceeded',
      statusClass: 4,
      requests: 3,
      refusedUnits: 10,
    },
    { ...row, keyId: quiet, requests: 20 },
    { ...row, keyId: elsewhere, requests: 500 },
  );
});
afterAll(() => admin.stop());

const preview = (limits: object, plan = 'free') => admin.post(`/v1/plans/${plan}/preview`, { limits });

test('the preview of limits lists the keys of the plan that exceeded them, with the number of times and the peak', async () => {
  expect((await preview({ minute: 20, day: 40 })).body).toEqual({
    plan: 'free',
    limits: { minute: 20, day: 40 },
    // The counts begin here, because there are no older ones.
    minutesFrom: '2026-06-15T11:50:00.000Z',
    daysFrom: '2026-06-15T00:00:00.000Z',
    monthsFrom: null,
    keysExamined: 2,
    keysAbove: 1,
    keysUsedUp: 1,
    keys: [
      {
        key: busy,
        name: 'a',
        owner: 'acme',
        sharing: 1,
        minutes: { count: 2, peak: 30 },
        days: { count: 1, peak: 51 },
        months: { count: 0, peak: 0 },
      },
    ],
  });
  expect((await preview({ minute: 60, day: 60, month: 60 })).body).toMatchObject({
    monthsFrom: '2026-06-15T00:00:00.000Z',
  });
  expect((await preview({ minute: 60, day: 1000 })).body).toMatchObject({ keysAbove: 0, keys: [] });
});

test('a preview for listed keys examines these keys, whatever their plan and state', async () => {
  const create = async (more: object) => (await admin.post('/v1/keys', { name: 'b', owner: 'acme', ...more })).body.id;
  const [own, revoked] = [await create({ plan: 'free' }), await create({ plan: 'free' })] as [string, string];
  await admin.call('DELETE', `/v1/keys/${revoked}`);
  const keys = [busy, elsewhere, own, revoked, 'key_unknown'];
  const { body } = await admin.post('/v1/plans/free/preview', { limits: { minute: 20, day: 1000 }, keys });
  expect(body).toMatchObject({ plan: 'free', keysExamined: 3, keysAbove: 2 });
  expect(body.keys.map(({ key }: { key: string }) => key).sort()).toEqual([busy, elsewhere].sort());
  const none = await admin.post('/v1/plans/free/preview', { limits: { minute: 20, day: 1000 }, keys: [own] });
  expect(none.body).toMatchObject({ keysExamined: 1, keysAbove: 0, keys: [] });
  const empty = await admin.post('/v1/plans/free/preview', { limits: { minute: 20, day: 1000 }, keys: [] });
  expectError(empty, 400, 'validation_failed', '/keys');
});

test('a preview changes nothing, so viewers may request one', async () => {
  const json = { limits: { minute: 1, day: 1 } };
  expect((await admin.call('POST', '/v1/plans/free/preview', { json, token: VIEWER })).status).toBe(200);
  await preview({ minute: 1, day: 1 });
  expect((await admin.get('/v1/plans/free')).body.limits).toEqual({ minute: 60, day: 1000 });
});

test('a preview requires an existing plan and valid limits', async () => {
  expectError(await preview({ minute: 1, day: 1 }, 'none'), 404, 'plan_not_found');
  expectError(await preview({ minute: 20, day: 10 }), 400, 'validation_failed', '/limits');
  expectError(await preview({ minute: 0, day: 10 }), 400, 'validation_failed', '/limits/minute');
  expectError(await admin.post('/v1/plans/free/preview', { limits: null }), 400, 'validation_failed', '/limits');
  expectError(await admin.post('/v1/plans/free/preview', {}), 400, 'validation_failed', '/limits');
});
