import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

test('a query parameter that is given several times is reported once', async () => {
  const { status, body } = await admin.get('/v1/keys?limit=1&limit=2&limit=3&owner=a');
  expect({ status, details: body.details }).toEqual({
    status: 400,
    details: [{ path: '/query/limit', message: 'is given more than once' }],
  });
});

test('at most 20 errors of a request are reported, even before authentication', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `a${index}`);
  const query = [...names, ...names].join('&');
  const { status, body } = await admin.call('POST', `/v1/session?${query}`, { token: null, json: {} });
  expect({ status, code: body.code, count: body.details.length }).toEqual({
    status: 400,
    code: 'validation_failed',
    count: 20,
  });
});
