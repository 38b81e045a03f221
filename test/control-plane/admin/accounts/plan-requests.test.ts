import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Account } from '../../../../src/control-plane/accounts/account.ts';
import { type Admin, expectError, NOW, startAdmin, VIEWER } from '../../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

let account: Account;
beforeEach(async () => {
  const given = { owner: `owner ${Math.random()}`, name: 'Acme', email: null, plan: 'free' };
  account = await admin.accounts.create(given, { actor: 'ops', reason: null, at: NOW });
});

const requestPlan = async (plan = 'pro') =>
  (
    await admin.accounts.planRequests.create(
      account.id,
      { plan, message: 'We grow' },
      { actor: account.id, reason: null, at: NOW },
    )
  ).id;
const listed = async (query = '') => (await admin.get(`/v1/plan-requests?account=${account.id}${query}`)).body.items;

test('a plan request is listed with its account, and approving it moves the account and its keys to the plan', async () => {
  const change = { actor: account.id, reason: null, at: NOW };
  const { key } = await admin.accounts.createKey(account.id, { name: 'Shop' }, { maxKeys: 5 }, change);
  const id = await requestPlan();
  const { owner } = account;
  const request = {
    id,
    account: { id: account.id, owner, name: 'Acme', plan: 'free' },
    plan: 'pro',
    message: 'We grow',
    status: 'open',
    reason: null,
    createdAt: new Date(NOW).toISOString(),
    decidedAt: null,
    decidedBy: null,
  };
  expect(await listed('&status=open')).toEqual([request]);

  const approved = await admin.post(`/v1/plan-requests/${id}/approve`, { reason: 'Welcome to Pro' });
  const decision = { status: 'approved', reason: 'Welcome to Pro', decidedAt: request.createdAt, decidedBy: 'ops' };
  expect(approved.status).toBe(200);
  expect(approved.body).toEqual({ ...request, account: { ...request.account, plan: 'pro' }, ...decision });
  expect(await listed()).toEqual([approved.body]);
  expect(await listed('&status=open')).toEqual([]);
  expect((await admin.get(`/v1/keys/${key.id}`)).body.plan).toBe('pro');
  const audit = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
  expect(audit.map(({ action, actor }: Record<string, string>) => [action, actor])).toEqual([
    ['plan_request.approve', 'ops'],
    ['plan_request.create', account.id],
  ]);
  expectError(await admin.post(`/v1/plan-requests/${id}/decline`, { reason: 'no' }), 409, 'conflict');
});

test('declining a plan request requires a reason', async () => {
  const id = await requestPlan();
  expectError(await admin.post(`/v1/plan-requests/${id}/decline`, {}), 400, 'validation_failed', '/reason');
  const { status, body } = await admin.post(`/v1/plan-requests/${id}/decline`, { reason: 'Free fits you' });
  expect([status, body.status, body.reason, body.account.plan]).toEqual([200, 'declined', 'Free fits you', 'free']);
});

test('a plan request for a deleted plan cannot be approved', async () => {
  await admin.put('/v1/plans/gone', { name: 'Gone', limits: { minute: 1, day: 1 } });
  const id = await requestPlan('gone');
  await admin.delete('/v1/plans/gone');
  expectError(await admin.call('POST', `/v1/plan-requests/${id}/approve`), 409, 'conflict');
  expect((await listed())[0].status).toBe('open');
});

test('plan requests are listed in pages, and invalid parameters are rejected', async () => {
  for (let count = 0; count < 3; count++) {
    await admin.post(`/v1/plan-requests/${await requestPlan()}/decline`, { reason: 'no' });
  }
  const first = (await admin.get(`/v1/plan-requests?account=${account.id}&limit=2`)).body;
  const rest = await listed(`&limit=2&cursor=${first.nextCursor}`);
  expect([first.items.length, rest.length]).toEqual([2, 1]);
  expectError(await admin.get('/v1/plan-requests?status=gone'), 400, 'validation_failed', '/query/status');
  expectError(await admin.get('/v1/plan-requests?cursor=junk'), 400, 'validation_failed', '/query/cursor');
  for (const verb of ['approve', 'decline']) {
    const response = await admin.post(`/v1/plan-requests/plr_none/${verb}`, { reason: 'no' });
    expectError(response, 404, 'plan_request_not_found');
  }
});

test('a viewer can read plan requests but not decide them', async () => {
  const id = await requestPlan();
  const call = (method: string, path: string, json?: object) => admin.call(method, path, { json, token: VIEWER });
  expect((await call('GET', '/v1/plan-requests')).status).toBe(200);
  for (const verb of ['approve', 'decline']) {
    expectError(await call('POST', `/v1/plan-requests/${id}/${verb}`, { reason: 'no' }), 403, 'forbidden');
  }
});
