/** A consumer does all tasks in the portal, from creating the first key to getting a plan with higher limits. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal, type PortalBrowser } from '../../support/gateway/portal.ts';

let portal: Portal;
let account: string;
let browser: PortalBrowser;
beforeAll(async () => {
  portal = await startPortal({
    settings: { bans: { strikes: 2, grace: '0s' }, portal: { requestablePlans: ['pro', 'enterprise', 'gone'] } },
  });
  account = await portal.account('acme', { name: 'Acme', email: 'dev@acme.example' });
  browser = await portal.signInAs(account);
});
afterAll(() => portal.stop());

const call = (key: string, path = '/pets', id = '') =>
  portal.gateway.call(path, { key, headers: id === '' ? {} : { 'x-request-id': id } });

/** Waits for the explanation of a refused request, because refusals are written only once a second. */
async function waitForExplanation(requestId: string, by = browser) {
  for (;;) {
    const { status, body } = await by.get(`/api/requests/${requestId}`);
    if (status !== 404) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the keys of an account', () => {
  test('can be created, named, rotated and revoked, and only the creating response has the secret', async () => {
    const made = await browser.post('/api/keys', { name: 'Shop' });
    expect(made).toMatchObject({ status: 201, body: { plan: 'free', quotaId: account, status: 'active' } });
    const { id, key } = made.body;
    expect((await call(key)).status).toBe(200);
    expect((await browser.call('PATCH', `/api/keys/${id}`, { json: { name: 'Shop 2' } })).body.name).toBe('Shop 2');
    const rotated = (await browser.post(`/api/keys/${id}/rotate`, { graceSeconds: 60 })).body;
    expect(rotated).toMatchObject({ name: 'Shop 2', quotaId: account, rotatedTo: null });
    const { items, maxKeys } = (await browser.get('/api/keys')).body;
    expect(maxKeys).toBe(5);
    expect(items).toMatchObject([
      { id: rotated.id, expiresAt: null },
      { id, rotatedTo: rotated.id, expiresAt: expect.stringMatching(/^20/) },
    ]);
    expect(JSON.stringify(items)).not.toContain(key);
    expect((await call(key)).status).toBe(200);
    const revoked = await browser.post(`/api/keys/${rotated.id}/revoke`, {});
    expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked' } });
    for (const secret of [key, rotated.key]) expect((await call(secret)).status).toBe(401);
    const [entry] = (await portal.admin('GET', `/v1/audit?subject=${rotated.id}&limit=1`)).items;
    expect(entry).toMatchObject({ action: 'key.revoke', actor: account });
  });

  test('are limited to five, even if many are requested concurrently', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => browser.post('/api/keys', { name: `Key ${index}` })),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    for (const response of responses) if (response.status !== 201) expectError(response, 409, 'too_many_keys');
    for (const { body } of made.slice(1)) await browser.post(`/api/keys/${body.id}/revoke`, {});
  });

  test('can be revoked with the keys that they replaced, or alone', async () => {
    const readStatus = async (id: string) =>
      (await browser.get('/api/keys')).body.items.find((key: { id: string }) => key.id === id).status;
    const old = (await browser.post('/api/keys', { name: 'Rotated' })).body;
    const fresh = (await browser.post(`/api/keys/${old.id}/rotate`, { graceSeconds: 3600 })).body;
    await browser.post(`/api/keys/${fresh.id}/revoke?predecessors=false`, {});
    expect([await readStatus(fresh.id), await readStatus(old.id)]).toEqual(['revoked', 'active']);
    const other = (await browser.post('/api/keys', { name: 'Rotated too' })).body;
    const successor = (await browser.post(`/api/keys/${other.id}/rotate`, { graceSeconds: 3600 })).body;
    await browser.post(`/api/keys/${successor.id}/revoke`, {});
    expect([await readStatus(successor.id), await readStatus(other.id)]).toEqual(['revoked', 'revoked']);
    await browser.post(`/api/keys/${old.id}/revoke`, {});
  });

  test('cannot be created with an expiry in the past or a blank name', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    expectError(
      await browser.post('/api/keys', { name: 'Past', expiresAt: past }),
      400,
      'validation_failed',
      '/expiresAt',
    );
    expectError(await browser.post('/api/keys', { name: ' ' }), 400, 'validation_failed', '/name');
  });
});

describe('the usage of an account', () => {
  test('counts against one quota for all keys, and a new or rotated key is banned with the others', async () => {
    const one = (await browser.post('/api/keys', { name: 'One' })).body;
    const other = (await browser.post('/api/keys', { name: 'Other' })).body;
    const before = (await browser.get('/api/usage')).body.items[0];
    await call(one.key);
    await call(other.key);
    const { items } = (await browser.get('/api/usage')).body;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ quotaId: account, plan: 'free', ban: null });
    expect(items[0].keys).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(items[0].windows[0].used).toBe(before.windows[0].used + 2);

    await portal.admin('PUT', `/v1/keys/${one.id}/ban`, { seconds: 600, reason: 'scraping', message: 'Slow down.' });
    const third = (await browser.post('/api/keys', { name: 'Third' })).body;
    const rotated = await portal.admin('POST', `/v1/keys/${other.id}/rotate`, {});
    for (const { key } of [other, third, rotated]) expect((await call(key)).status).toBe(403);
    // The ban is found by any of the account's keys and by the account id.
    for (const key of [third.id, account]) {
      const { items } = await portal.admin('GET', `/v1/bans?key=${key}`);
      expect(items).toMatchObject([{ keyId: one.id, quotaId: account, status: 'active' }]);
    }
    const { ban } = (await browser.get('/api/usage')).body.items[0];
    expect(ban).toMatchObject({ manual: true, reason: null, message: 'Slow down.' });
    await portal.admin('DELETE', `/v1/keys/${third.id}/ban`);
    expect((await call(one.key)).status).toBe(200);
  });

  test("can be downloaded as CSV with units and client errors, for the account's own keys only", async () => {
    const [mine, theirs] = [await portal.account('counted'), await portal.account('not-counted')];
    const [me, other] = [await portal.signInAs(mine), await portal.signInAs(theirs)];
    const { id, key } = (await me.post('/api/keys', { name: '=Counted, twice' })).body;
    const foreign = (await other.post('/api/keys', { name: 'Not counted' })).body;
    for (const secret of [key, key, foreign.key]) await call(secret, '/pets/9007199254740993');
    const readCsv = (by: PortalBrowser, query: string) =>
      by.call('GET', `/api/usage/history?${query}`, { headers: { Accept: 'text/csv' } });
    const every = `every=day&by=key`;
    // Usage is written in batches, so the first batch may contain only one of the two requests.
    while ((await me.get(`/api/usage/history?${every}`)).body.series[0]?.totals.requests !== 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { headers, text } = await readCsv(me, every);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    const [head, line, ...rest] = text.split('\n');
    const columns = 'at,requests,units,refused,errors,clientErrors,p50Ms,p95Ms,p99Ms';
    expect(head).toBe(`group,name,${columns}`);
    expect(line).toMatch(new RegExp(`^${id},"'=Counted, twice",\\d{4}-\\d\\d-\\d\\dT00:00:00.000Z,2,2,0,0,2,`));
    expect(rest).toEqual(['']);
    expect((await readCsv(me, 'every=day&by=operation')).text).toMatch(new RegExp(`^group,${columns}\n`));
    expectError(await readCsv(me, `key=${foreign.id}`), 404, 'key_not_found');
  });

  test('includes explanations of refused requests by their id', async () => {
    const { key } = (await browser.post('/api/keys', { name: 'Refused' })).body;
    await call(key, '/nothing', 'refused-1');
    const { refusals } = await waitForExplanation('refused-1');
    expect(refusals).toMatchObject([{ facts: { code: 'route_not_found' } }]);
    expectError(await browser.get('/api/requests/unknown'), 404, 'request_not_found');
  });

  test('includes recent refusals with their causes, and bans with their end', async () => {
    const other = await portal.signInAs(await portal.account('refused'));
    expect((await other.get('/api/requests')).body).toEqual({ items: [], nextCursor: null, bans: [] });
    const { id, key } = (await other.post('/api/keys', { name: 'Refused' })).body;
    await call(key, '/nothing', 'listed-1');
    await portal.admin('PUT', `/v1/keys/${id}/ban`, { seconds: 600, reason: 'scraping', message: 'Slow down.' });
    await call(key, '/pets', 'listed-2');
    await waitForExplanation('listed-2', other);
    const { items, bans } = (await other.get('/api/requests')).body;
    expect(items).toMatchObject([
      { requestId: 'listed-2', keyId: id, status: 403, code: 'key_banned', method: 'GET', operation: 'listPets' },
      { requestId: 'listed-1', status: 404, code: 'route_not_found', operation: null, path: '/nothing' },
    ]);
    expect(items[0].cause).toContain('banned');
    expect(bans).toMatchObject([{ manual: true, reason: null, message: 'Slow down.', endedAt: null }]);
    const first = (await other.get('/api/requests?limit=1')).body;
    const second = (await other.get(`/api/requests?limit=1&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items]).toEqual(items);
    expectError(await other.get('/api/requests?cursor=x'), 400, 'validation_failed', '/query/cursor');

    const byKey = await portal.signInWith(key);
    expect((await byKey.get('/api/requests')).body).toEqual((await other.get('/api/requests')).body);
    await portal.admin('DELETE', `/v1/keys/${id}/ban`);
    expect((await other.get('/api/requests')).body.bans).toMatchObject([
      { reason: null, message: 'Slow down.', endedAt: expect.stringMatching(/^20/) },
    ]);
  });

  // The explanation once referred consumers to the audit log, which they cannot see.
  test('includes explanations of manual bans, which name the audit log only for operators', async () => {
    const other = await portal.signInAs(await portal.account('banned'));
    const { id, key } = (await other.post('/api/keys', { name: 'Banned' })).body;
    await portal.admin('PUT', `/v1/keys/${id}/ban`, { seconds: 600, reason: 'scraping' });
    await call(key, '/pets', 'banned-1');
    const toConsumers = [
      await waitForExplanation('banned-1', other),
      await (await portal.gateway.call('/_gateway/requests/banned-1', { key })).json(),
    ];
    const toOperators = await portal.admin('GET', '/v1/requests/banned-1');
    for (const response of toConsumers) {
      expect(JSON.stringify(response)).toContain('ask the operators of the API for the reason');
      expect(JSON.stringify(response)).not.toContain('audit log');
    }
    expect(JSON.stringify(toOperators)).toContain('The audit log has the reason');
  });

  test('is not returned for unsupported groups, future periods or unknown keys', async () => {
    const { body } = await browser.get('/api/usage/history?by=outcome&every=hour');
    expect(body).toMatchObject({ every: 'hour', others: null });
    expectError(await browser.get('/api/usage/history?by=owner'), 400, 'validation_failed', '/query/by');
    expectError(
      await browser.get('/api/usage/history?from=2999-01-01T00:00:00Z'),
      400,
      'validation_failed',
      '/query/from',
    );
    expectError(await browser.get('/api/usage/history?key=key_of_nobody'), 404, 'key_not_found');
  });

  test('includes keys that operators created for the owner, with their own quota', async () => {
    const made = await portal.admin('POST', '/v1/keys', { name: 'Agreed', owner: 'acme', plan: 'pro' });
    const { items } = (await browser.get('/api/usage')).body;
    expect(items.map(({ quotaId }: { quotaId: string }) => quotaId)).toEqual([account, made.id]);
    expect(items[1]).toMatchObject({ plan: 'pro', windows: [{ limit: 300 }, { limit: 10_000 }] });
  });
});

describe('an account', () => {
  test('sees its current plan and the plans that it can request', async () => {
    const { current, requestable } = (await browser.get('/api/plans')).body;
    expect(current).toMatchObject({ id: 'free', limits: { minute: 60, day: 1000 } });
    // A custom plan cannot be requested, and a plan that does not exist is not listed.
    expect(requestable).toMatchObject([{ id: 'pro', limits: { minute: 300, day: 10_000 } }]);
  });

  test('can request a plan again after a request was declined, and gets its limits when a request is approved', async () => {
    expectError(await browser.post('/api/plan-requests', { plan: 'business' }), 400, 'validation_failed', '/plan');
    const first = (await browser.post('/api/plan-requests', { plan: 'pro', message: 'We launch.\nSoon.' })).body;
    expect(first).toMatchObject({ plan: 'pro', message: 'We launch.\nSoon.', status: 'open', reason: null });
    expectError(await browser.post('/api/plan-requests', { plan: 'pro' }), 409, 'plan_request_open');
    await portal.admin('POST', `/v1/plan-requests/${first.id}/decline`, { reason: 'Not yet.' });
    const second = (await browser.post('/api/plan-requests', { plan: 'pro' })).body;
    await portal.admin('POST', `/v1/plan-requests/${second.id}/approve`, {});
    expect((await browser.get('/api/plan-requests')).body.items).toMatchObject([
      { id: second.id, status: 'approved' },
      { id: first.id, status: 'declined', reason: 'Not yet.' },
    ]);
    expect((await browser.get('/api/account')).body.plan).toBe('pro');
    const { items } = (await browser.get('/api/keys?status=active')).body;
    const made = items.find(({ quotaId }: { quotaId: string }) => quotaId === account);
    const tried = await browser.post('/api/try', { keyId: made.id, method: 'GET', path: '/pets' });
    expect(tried.body.headers['x-ratelimit-limit']).toBe('300');
  });

  test('can withdraw a request for a plan while the request is open', async () => {
    const id = await portal.account('undecided');
    const other = await portal.signInAs(id);
    const request = (await other.post('/api/plan-requests', { plan: 'pro' })).body;
    expect((await other.call('DELETE', `/api/plan-requests/${request.id}`)).status).toBe(204);
    expect((await other.get('/api/plan-requests')).body.items).toEqual([]);
    expectError(await other.call('DELETE', `/api/plan-requests/${request.id}`), 404, 'plan_request_not_found');
  });
});

test('an account can be renamed, and nothing else about it can be changed in the portal', async () => {
  const renamed = await browser.call('PATCH', '/api/account', { json: { name: 'Acme Ltd.' } });
  expect(renamed.body).toMatchObject({ id: account, name: 'Acme Ltd.', email: 'dev@acme.example' });
  const more = { name: 'Acme', plan: 'pro' };
  expectError(await browser.call('PATCH', '/api/account', { json: more }), 400, 'validation_failed', '/plan');
});

test('the reference of the portal is the API document of the public listener', async () => {
  const { body } = await browser.get('/api/reference');
  const there = await portal.gateway.call('/_gateway/openapi.json');
  expect(body).toEqual(await there.json());
});
