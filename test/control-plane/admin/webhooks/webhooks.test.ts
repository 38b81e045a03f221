import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, expectError, NOW, startAdmin, VIEWER } from '../../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const ADDRESS = 'https://hooks.example.com/in?of=us';
const webhookBody = (over: object = {}) => ({ url: ADDRESS, types: ['*'], ...over });
// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
const create = async (over: object = {}): Promise<any> => (await admin.post('/v1/webhooks', webhookBody(over))).body;
const account = async () =>
  (await admin.post('/v1/accounts', { owner: `owner ${Math.random()}`, name: 'Acme', plan: 'free' })).body.id;
const listIds = async (query: string) =>
  (await admin.get(`/v1/webhooks?${query}`)).body.items.map(({ id }: { id: string }) => id);

test('a webhook can be created, read, changed and deleted, and only the first response has its secret', async () => {
  const created = await admin.post(
    '/v1/webhooks',
    webhookBody({ description: 'The pager', types: ['store.degraded'] }),
  );
  const { id, secret, ...webhook } = created.body;
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(`/v1/webhooks/${id}`);
  expect(secret).toMatch(/^whsec_/);
  expect(webhook).toEqual({
    accountId: null,
    url: ADDRESS,
    description: 'The pager',
    types: ['store.degraded'],
    status: 'enabled',
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    previousSecretUntil: null,
    createdAt: new Date(NOW).toISOString(),
  });
  const read = await admin.get(`/v1/webhooks/${id}`);
  expect([read.body, read.headers.get('etag')]).toEqual([{ id, ...webhook }, created.headers.get('etag')]);
  const disabled = await admin.patch(`/v1/webhooks/${id}`, { status: 'disabled', types: ['*'] });
  expect(disabled.body).toMatchObject({ status: 'disabled', disabledReason: 'manual', types: ['*'] });
  expect((await admin.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  expectError(await admin.get(`/v1/webhooks/${id}`), 404, 'webhook_not_found');
  expect(admin.logs.join('')).not.toContain(secret);
});

test('the secret of a webhook can be replaced, and the old secret also signs for another day', async () => {
  const { id, secret } = await create();
  const rotated = await admin.call('POST', `/v1/webhooks/${id}/rotate-secret`);
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).toMatch(/^whsec_/);
  expect(rotated.body.secret).not.toBe(secret);
  expect(rotated.body.previousSecretUntil).toBe(new Date(NOW + 86_400_000).toISOString());
  const leaked = await admin.post(`/v1/webhooks/${id}/rotate-secret`, { graceSeconds: 0 });
  expect(leaked.body.previousSecretUntil).toBeNull();
  const tooLong = await admin.post(`/v1/webhooks/${id}/rotate-secret`, { graceSeconds: 604_801 });
  expectError(tooLong, 400, 'validation_failed', '/graceSeconds');
  const { items } = (await admin.get(`/v1/audit?subject=${id}`)).body;
  expect(items).toContainEqual(
    expect.objectContaining({
      action: 'webhook.rotate',
      after: { previousSecretUntil: new Date(NOW + 86_400_000).toISOString() },
    }),
  );
  expect(JSON.stringify(items)).not.toContain('whsec_');
});

test('the webhooks of accounts are listed too, and can be filtered by account', async () => {
  const accountId = await account();
  const [theirs, ours] = [await create({ accountId }), await create()];
  expect(theirs.accountId).toBe(accountId);
  expect(await listIds(`account=${accountId}`)).toEqual([theirs.id]);
  expect(await listIds('account=none')).toContain(ours.id);
  expect(await listIds('account=none')).not.toContain(theirs.id);
  expect(await listIds('limit=100')).toEqual(expect.arrayContaining([theirs.id, ours.id]));
  await admin.patch(`/v1/webhooks/${theirs.id}`, { status: 'disabled' });
  expect(await listIds(`account=${accountId}&status=enabled`)).toEqual([]);
  for (let count = 1; count < 10; count++) await create({ accountId });
  expectError(await admin.post('/v1/webhooks', webhookBody({ accountId })), 409, 'too_many_webhooks');
});

test('webhooks can be searched by a part of their id, URL or description, in upper or lower case', async () => {
  const { id } = await create({ url: 'https://hooks.fabrikam.example/100%_sure', description: 'Émile’s pager' });
  for (const part of ['ÉMILE', 'fabrikam', '%_sure', id.toUpperCase().slice(4)])
    expect([part, await listIds(`q=${encodeURIComponent(part)}`)]).toEqual([part, [id]]);
  expect(await listIds('q=%25fabrikam')).toEqual([]);
  expect(await listIds('q=fabrikam&status=disabled')).toEqual([]);
});

test('If-Match rejects a change if the webhook has changed', async () => {
  const { id } = await create();
  const tag = (await admin.get(`/v1/webhooks/${id}`)).headers.get('etag')!;
  const send = (method: string, json?: object, path = '') =>
    admin.call(method, `/v1/webhooks/${id}${path}`, { json, headers: { 'If-Match': tag } });
  expect((await send('PATCH', { description: 'new' })).status).toBe(200);
  expectError(await send('PATCH', { description: 'x' }), 412, 'precondition_failed');
  expectError(await send('POST', {}, '/rotate-secret'), 412, 'precondition_failed');
  expectError(await send('DELETE'), 412, 'precondition_failed');
});

test('invalid requests are rejected, and the error names the reason', async () => {
  const refused = async (over: object, ...paths: string[]) =>
    expectError(await admin.post('/v1/webhooks', webhookBody(over)), 400, 'validation_failed', ...paths);
  await refused({ url: undefined }, '/url');
  await refused({ url: 'ftp://example.com' }, '/url');
  await refused({ types: [] }, '/types');
  await refused({ types: ['no.such'] }, '/types');
  await refused({ types: ['*', 'key.created'] }, '/types');
  await refused({ accountId: await account(), types: ['store.degraded'] }, '/types');
  await refused({ description: 'two\nlines' }, '/description');
  await refused({ secret: 'whsec_mine' }, '/secret');
  const forbidden = await admin.post('/v1/webhooks', webhookBody({ url: 'https://forbidden.example.com' }));
  expectError(forbidden, 400, 'webhook_address_not_allowed');
  expect(forbidden.body.message).toBe('It is forbidden.');
  expectError(await admin.post('/v1/webhooks', webhookBody({ accountId: 'acc_none' })), 404, 'account_not_found');
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
  ] as const) {
    const json = method === 'PATCH' ? { description: 'x' } : undefined;
    expectError(await admin.call(method, `/v1/webhooks/whk_none${path}`, { json }), 404, 'webhook_not_found');
  }
  expectError(await admin.call('POST', '/v1/deliveries/dlv_none/redeliver'), 404, 'delivery_not_found');
});

test('a test event is sent at once, even to a disabled webhook, and its delivery is listed and can be repeated', async () => {
  const { id } = await create();
  await admin.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
  const tried = await admin.call('POST', `/v1/webhooks/${id}/test`);
  expect(tried.status).toBe(200);
  expect(tried.body).toMatchObject({
    id: expect.stringMatching(/^dlv_\w{20}$/),
    webhookId: id,
    eventId: expect.stringMatching(/^evt_\w{20}$/),
    type: 'webhook.test',
    status: 'delivered',
    dueAt: null,
    attempts: [{ number: 1, at: new Date(NOW).toISOString(), durationMs: 12, status: 204, error: null, answer: '' }],
  });
  const list = await admin.get(`/v1/webhooks/${id}/deliveries`);
  expect(list.body).toEqual({ items: [tried.body], nextCursor: null });
  expect((await admin.get(`/v1/webhooks/${id}/deliveries?status=failed`)).body.items).toEqual([]);
  expectError(await admin.get(`/v1/webhooks/${id}/deliveries?status=lost`), 400, 'validation_failed', '/query/status');
  const again = () => admin.call('POST', `/v1/deliveries/${tried.body.id}/redeliver`);
  expectError(await again(), 409, 'conflict');
  await admin.patch(`/v1/webhooks/${id}`, { status: 'enabled' });
  const due = await again();
  expect([due.status, due.body]).toMatchObject([202, { status: 'pending', endedAt: null, dueAt: expect.any(String) }]);
});

test('the deliveries of an event can be listed by the id of the event', async () => {
  const { id } = await create();
  const [tried, other] = [
    await admin.call('POST', `/v1/webhooks/${id}/test`),
    await admin.call('POST', `/v1/webhooks/${id}/test`),
  ];
  const of = async (query: string) => (await admin.get(`/v1/deliveries?${query}`)).body;
  expect(await of(`event=${tried.body.eventId}`)).toEqual({ items: [tried.body], nextCursor: null });
  expect(await of(`event=${other.body.eventId}&status=delivered`)).toEqual({ items: [other.body], nextCursor: null });
  expect((await of(`event=${tried.body.eventId}&status=failed`)).items).toEqual([]);
  expect((await of('event=evt_none')).items).toEqual([]);
  expectError(await admin.get('/v1/deliveries'), 400, 'validation_failed', '/query/event');
});

test('event types are listed with the audience that receives them', async () => {
  const { items } = (await admin.get('/v1/event-types')).body;
  const banned = {
    name: 'key.banned',
    source: 'gateway',
    summary: 'A key was banned, along with all keys that share its quota.',
    audience: 'owner',
  };
  expect(items).toContainEqual(banned);
  expect(items).toContainEqual(expect.objectContaining({ name: 'store.degraded', audience: 'operators' }));
});

test('a viewer can read webhooks but not change them', async () => {
  const { id } = await create();
  expect((await admin.call('GET', `/v1/webhooks/${id}`, { token: VIEWER })).status).toBe(200);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
  ] as const) {
    const json = method === 'PATCH' ? {} : undefined;
    const response = await admin.call(method, `/v1/webhooks/${id}${path}`, { token: VIEWER, json });
    expectError(response, 403, 'forbidden');
  }
});
