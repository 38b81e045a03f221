/**
 * Consumers manage their webhooks in the portal's API. `isolation.test.ts` tests that accounts cannot reach the
 * webhooks of others.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal, type PortalBrowser } from '../../support/gateway/portal.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';

let portal: Portal;
let endpoint: Endpoint;
let accountId: string;
let browser: PortalBrowser;
beforeAll(async () => {
  endpoint = await Endpoint.start();
  // The limit of changes is higher than the limit of redeliveries, so that a test can reach the latter.
  const portalRequestsPerMinute = { requests: 2000, changes: 2000, endings: 120 };
  portal = await startPortal({ portalRequestsPerMinute, settings: { events: { allowPrivate: true } } });
});
afterAll(async () => {
  await portal.stop();
  await endpoint.stop();
});
beforeEach(async () => {
  accountId = await portal.account(`owner ${Math.random()}`);
  browser = await portal.signInAs(accountId);
});

const webhookBody = (over: object = {}) => ({ url: endpoint.url, types: ['*'], ...over });
const create = (over: object = {}) => browser.post('/api/webhooks', webhookBody(over));

test('a webhook can be created, read, changed and deleted, and only the first response has its secret', async () => {
  const created = await create({ description: 'Shop', types: ['quota.threshold', 'key.expiring'] });
  const { id, secret, ...webhook } = created.body;
  expect(created.status).toBe(201);
  expect(webhook).toEqual({
    url: endpoint.url,
    description: 'Shop',
    types: ['key.expiring', 'quota.threshold'],
    status: 'enabled',
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    previousSecretUntil: null,
    createdAt: expect.stringMatching(/^20/),
  });
  expect((await browser.get(`/api/webhooks/${id}`)).body).toEqual({ id, ...webhook });
  const list = await browser.get('/api/webhooks');
  expect(list.body).toEqual({ items: [{ id, ...webhook }], nextCursor: null, maxWebhooks: 10 });
  const disabled = await browser.call('PATCH', `/api/webhooks/${id}`, { json: { status: 'disabled', types: ['*'] } });
  expect(disabled.body).toMatchObject({ status: 'disabled', disabledReason: 'manual', types: ['*'] });
  const audit = (await portal.admin('GET', `/v1/audit?subject=${id}`)).items;
  expect(audit.map(({ actor }: { actor: string }) => actor)).toEqual([accountId, accountId]);
  expect((await browser.call('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
  expectError(await browser.get(`/api/webhooks/${id}`), 404, 'webhook_not_found');
  expect(portal.gateway.logs.join('')).not.toContain(secret);
});

// Each test event is stored together with its delivery, so the number is limited.
test('an account can send 60 test events an hour', async () => {
  const { id } = (await create()).body;
  const send = () => browser.call('POST', `/api/webhooks/${id}/test`);
  for (let sent = 0; sent < 60; sent++) expect((await send()).status).toBe(200);
  const refused = await send();
  expectError(refused, 429, 'rate_limit_exceeded');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  const another = await portal.signInAs(await portal.account(`owner ${Math.random()}`));
  const { body } = await another.post('/api/webhooks', webhookBody());
  expect((await another.call('POST', `/api/webhooks/${body.id}/test`)).status).toBe(200);
});

// Without the limit, everybody with an account could have the gateway send 600 requests a minute to any address, all
// day.
test('an account can request 600 redeliveries an hour', async () => {
  const redeliver = () => browser.call('POST', '/api/deliveries/dlv_none/redeliver');
  for (let asked = 0; asked < 600; asked++) expect((await redeliver()).status).toBe(404);
  const refused = await redeliver();
  expectError(refused, 429, 'rate_limit_exceeded');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
});

test('a test event is signed with the secret of its webhook, and with both secrets after a rotation', async () => {
  const { id, secret } = (await create()).body;
  const tried = await browser.call('POST', `/api/webhooks/${id}/test`);
  expect(tried).toMatchObject({
    status: 200,
    body: { type: 'webhook.test', status: 'delivered', attempts: [{ number: 1, status: 204, error: null }] },
  });
  const { body, headers } = endpoint.requests.at(-1)!;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
  const rotated = (await browser.post(`/api/webhooks/${id}/rotate-secret`, { graceSeconds: 60 })).body;
  expect(rotated).toMatchObject({ id, previousSecretUntil: expect.stringMatching(/^20/) });
  await browser.call('POST', `/api/webhooks/${id}/test`);
  const both = endpoint.requests.at(-1)!;
  for (const one of [secret, rotated.secret]) new Webhook(one).verify(both.body, both.headers);
});

test('deliveries are listed with their attempts, and can be sent again', async () => {
  const { id } = (await create()).body;
  endpoint.respond = (_, res) => res.writeHead(500).end('out of order');
  const { body: tried } = await browser.call('POST', `/api/webhooks/${id}/test`);
  endpoint.respond = (_, res) => res.writeHead(204).end();
  expect(tried).toMatchObject({ status: 'failed', attempts: [{ status: 500, answer: 'out of order' }] });
  const list = (query = '') => browser.get(`/api/webhooks/${id}/deliveries${query}`);
  expect((await list()).body).toEqual({ items: [tried], nextCursor: null });
  expect((await list('?status=delivered')).body.items).toEqual([]);
  const sent = (await browser.get(`/api/deliveries/${tried.id}/request`)).body;
  expect(sent.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': tried.eventId });
  expect(JSON.parse(sent.body)).toMatchObject({ type: 'webhook.test', data: { webhookId: expect.any(String) } });
  const again = await browser.call('POST', `/api/deliveries/${tried.id}/redeliver`);
  expect(again).toMatchObject({ status: 202, body: { id: tried.id, attempts: [{ number: 1 }] } });
  await browser.call('PATCH', `/api/webhooks/${id}`, { json: { status: 'disabled' } });
  expectError(await browser.call('POST', `/api/deliveries/${tried.id}/redeliver`), 409, 'conflict');
});

test('an account can have ten webhooks, only for events that are visible to the account', async () => {
  expectError(await create({ types: ['store.degraded'] }), 400, 'validation_failed', '/types');
  expectError(await create({ accountId: 'acc_other' }), 400, 'validation_failed', '/accountId');
  expectError(await create({ url: 'https://user:secret@example.com' }), 400, 'webhook_address_not_allowed');
  const responses = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
  for (const response of responses) if (response.status !== 201) expectError(response, 409, 'too_many_webhooks');
});

test('an account can send four test events at a time, so that others can send theirs', async () => {
  const { id } = (await create()).body;
  const held = Promise.withResolvers<void>();
  endpoint.respond = (_, res) => void held.promise.then(() => res.writeHead(204).end());
  const tests = Array.from({ length: 5 }, () => browser.call('POST', `/api/webhooks/${id}/test`));
  expectError(await Promise.race(tests), 429, 'too_many_calls');
  held.resolve();
  const statuses = (await Promise.all(tests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
});

test('the event types for consumers are listed with their fields, even in the session of a key', async () => {
  const { items } = (await browser.get('/api/event-types')).body;
  const names = items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toContain('operation.sunset_soon');
  for (const hidden of ['store.degraded', 'webhook.test']) expect(names).not.toContain(hidden);
  expect(items.find(({ name }: { name: string }) => name === 'quota.threshold')).toEqual({
    name: 'quota.threshold',
    summary: expect.stringContaining('80%'),
    audience: 'owner',
    schema: expect.objectContaining({
      required: expect.arrayContaining(['keyId', 'level', 'resetsAt']),
      properties: expect.objectContaining({
        used: { type: 'integer' },
        resetsAt: { type: 'string', format: 'date-time' },
        window: { type: 'string', enum: ['minute', 'day', 'month'] },
      }),
    }),
  });
  const { key } = (await browser.post('/api/keys', { name: 'Key' })).body;
  const byKey = await portal.signInWith(key);
  expect((await byKey.get('/api/event-types')).body.items).toEqual(items);
  expectError(await byKey.get('/api/webhooks'), 403, 'account_needed');
});
