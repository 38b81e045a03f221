/** A person without an account requests one in the portal. An operator decides, and sends the person a sign-in link. */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from '@jest/globals';
import { type ApiResponse, expectError } from '../../support/gateway/admin.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';

const REQUEST = { name: 'Ann', email: 'Ann@Example.com', purpose: 'Finding pets.\nMany.', plan: 'pro' };
// The gateway trusts the proxy, so that tests can set the address of the client.
const settings = { trustedProxies: ['127.0.0.1'], portal: { public: true, signUp: 'request' } };

describe('a request for an account', () => {
  let portal: Portal;
  // Requests are limited per hour, so each test has a new portal.
  beforeEach(async () => {
    portal = await startPortal({ settings });
  });
  afterEach(() => portal.stop());

  const send = (more: object = {}) => portal.browser().post('/api/account-requests', { ...REQUEST, ...more });
  const list = async (query = '') => (await portal.admin('GET', `/v1/account-requests${query}`)).items;

  test('can be approved by an operator, who gets a link that signs in to the new account', async () => {
    const sent = await send();
    expect([sent.status, sent.text, sent.headers.get('set-cookie')]).toEqual([202, '', null]);
    const [request] = await list('?status=open');
    expect(request).toMatchObject({
      ...REQUEST,
      email: 'ann@example.com',
      status: 'open',
      accountId: null,
      knownAccountId: null,
    });
    const [event] = (await portal.admin('GET', '/v1/events?type=account_request.created')).items;
    expect(event).toMatchObject({ subject: request.id, data: { email: 'ann@example.com', plan: 'pro' } });

    const path = `/v1/account-requests/${request.id}/approve`;
    const approved = await portal.admin('POST', path, { owner: 'ann', reason: 'known' });
    expect(approved).toMatchObject({
      request: { status: 'approved', accountId: approved.account.id, reason: 'known' },
      account: { owner: 'ann', name: 'Ann', email: 'ann@example.com', plan: 'pro' },
    });
    const browser = portal.browser();
    const signedIn = await browser.post('/api/session', { token: approved.url.split('#token=')[1] });
    expect(signedIn.body.account).toMatchObject({ id: approved.account.id });
    await expect(portal.admin('POST', path, {})).rejects.toThrow(/409/);
    const { items } = await portal.admin('GET', `/v1/audit?subject=${request.id}`);
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['account_request.approve']);
  });

  test('creates nothing if it is declined, and cannot be decided again', async () => {
    await send();
    const [{ id }] = await list();
    const declined = await portal.admin('POST', `/v1/account-requests/${id}/decline`, { reason: 'spam' });
    expect(declined).toMatchObject({ status: 'declined', reason: 'spam', accountId: null });
    await expect(portal.admin('POST', `/v1/account-requests/${id}/approve`, {})).rejects.toThrow(/409/);
    await expect(portal.admin('POST', '/v1/account-requests/acr_none/decline', {})).rejects.toThrow(/404/);
    expect((await portal.admin('GET', '/v1/accounts')).items).toEqual([]);
  });

  /** Collects everything in a response by which a stranger could distinguish two cases. */
  const seenIn = ({ status, text, headers }: ApiResponse) => {
    const named = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
    return JSON.stringify([status, text, named]);
  };
  const sendFrom = (network: number, email: string) => {
    const headers = { 'X-Forwarded-For': `10.0.${network}.1` };
    return portal.browser().call('POST', '/api/account-requests', { json: { ...REQUEST, email }, headers });
  };

  test('can be approved with another plan, if that plan exists', async () => {
    await send();
    const [{ id }] = await list();
    const approve = (plan: string) => portal.admin('POST', `/v1/account-requests/${id}/approve`, { plan });
    await expect(approve('none')).rejects.toThrow(/plan_not_found|validation_failed/);
    expect(await approve('free')).toMatchObject({ account: { plan: 'free' }, request: { plan: 'pro' } });
  });

  test('gets the same response whether or not the email address is known, and only operators see which it is', async () => {
    const account = await portal.account('acme', { email: 'ann@example.com' });
    const [known, unknown] = [new Set<string>(), new Set<string>()];
    for (let network = 0; network < 10; network++) {
      // From the second round on, the first address already has an open request.
      for (const email of ['bob@example.com', `bob${network}@example.com`]) {
        known.add(seenIn(await sendFrom(network, 'ann@example.com')));
        unknown.add(seenIn(await sendFrom(network, email)));
      }
    }
    expect([...known]).toEqual([...unknown]);
    expect(known.size).toBe(1);
    const requests = await list('?limit=2');
    expect(requests.map(({ knownAccountId }: { knownAccountId: string }) => knownAccountId)).toEqual([null, account]);
    await expect(portal.admin('POST', `/v1/account-requests/${requests[1].id}/approve`, {})).rejects.toThrow(
      /email_taken/,
    );
    expect((await list('?status=open&limit=100')).length).toBe(40);
  });

  test('can be sent five times an hour from an IP address, whether or not the email address is known', async () => {
    await portal.account('acme', { email: 'ann@example.com' });
    for (let sent = 0; sent < 5; sent++) expect((await send()).status).toBe(202);
    const [known, unknown] = [await send(), await send({ email: 'bob@example.com' })];
    expectError(known, 429, 'rate_limit_exceeded');
    expect(Number(known.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect({ ...known.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
    expect((await list()).length).toBe(5);
  });

  test('is rejected after a hundred requests in an hour from all addresses together', async () => {
    for (let network = 0; network < 20; network++) {
      for (let sent = 0; sent < 5; sent++) expect((await sendFrom(network, 'ann@example.com')).status).toBe(202);
    }
    for (const network of [0, 20]) expectError(await sendFrom(network, 'b@c.example'), 429, 'rate_limit_exceeded');
    expect(await portal.admin('GET', '/v1/account-requests?limit=100')).toMatchObject({ nextCursor: null });
    expect((await list('?limit=100')).length).toBe(100);
  });

  test.each([
    ['no name', { name: '' }],
    ['no address', { email: 'ann' }],
    ['a line break in the address', { email: 'a@b.example\nBcc: c@d.example' }],
    ['a purpose that is too long', { purpose: 'x'.repeat(2001) }],
    ['a plan that is not offered', { plan: 'enterprise' }],
    ['an unknown field', { owner: 'acme' }],
    ['text that reverses its direction', { name: 'Ann\u202E' }],
  ])('with %s is rejected', async (_, more) => {
    expectError(await send(more), 400, 'validation_failed');
    expect(await list()).toEqual([]);
  });

  test('cannot be sent by a page of another origin', async () => {
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const response = await portal.browser().call('POST', '/api/account-requests', { json: REQUEST, headers });
    expectError(response, 403, 'cross_origin');
    expect(await list()).toEqual([]);
  });
});

describe('without signUp: request in the settings of the portal,', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await startPortal({ settings: { portal: { public: true } } });
  });
  afterAll(() => portal.stop());

  test('accounts cannot be requested, with or without a session', async () => {
    expectError(await portal.browser().post('/api/account-requests', REQUEST), 401, 'sign_in_needed');
    const member = await portal.signInAs(await portal.account('acme'));
    expectError(await member.post('/api/account-requests', REQUEST), 404, 'route_not_found');
  });
});
