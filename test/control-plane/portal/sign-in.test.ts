import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError } from '../../support/gateway/admin.ts';
import { PortalBrowser, startPortal, type Portal } from '../../support/gateway/portal.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const HOUR = 3_600_000;
const time = { now: NOW };
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ clock: () => time.now, settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => portal.stop());

/** Failed attempts are limited per address, so each attempt comes from a new address by default. */
let lastHost = 0;
const from = () => ({ 'X-Forwarded-For': `198.51.100.${++lastHost}` });
const signIn = (json: object, headers: Record<string, string> = from()) =>
  portal.browser().call('POST', '/api/session', { json, headers });

test('a sign-in link can be previewed, signs in once, and sets a cookie for the portal', async () => {
  const id = await portal.account('acme', { name: 'Acme' });
  const token = await portal.link(id);
  const browser = portal.browser();
  expect((await browser.post('/api/session/preview', { token })).body).toEqual({ name: 'Acme' });
  expect((await browser.post('/api/session/preview', { token })).status).toBe(200);
  const signedIn = await browser.post('/api/session', { token });
  expect(signedIn.status).toBe(201);
  expect(signedIn.headers.get('set-cookie')).toMatch(
    /^tollgate-portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
  );
  expect(signedIn.body).toMatchObject({ account: { id, owner: 'acme', plan: 'free' }, key: null });
  expect((await browser.get('/api/session')).body.session).toMatchObject({ method: 'link', current: true });
  expectError(await signIn({ token }), 401, 'link_invalid');
  expectError(await portal.browser().post('/api/session/preview', { token }), 401, 'link_invalid');
});

test('a key signs in to its own data, and the session ends when the key is revoked', async () => {
  const made = await portal.admin('POST', '/v1/keys', { name: 'Shop', owner: 'shop', plan: 'free' });
  const browser = await portal.signInWith(made.key);
  const { body } = await browser.get('/api/session');
  expect(body).toMatchObject({ account: null, key: { id: made.id, name: 'Shop' }, session: { method: 'key' } });
  expectError(await browser.get('/api/account'), 403, 'account_needed');
  expectError(await browser.post('/api/keys', { name: 'Another' }), 403, 'account_needed');
  await portal.admin('DELETE', `/v1/keys/${made.id}`);
  expectError(await browser.get('/api/session'), 401, 'sign_in_needed');
  expectError(await signIn({ key: made.key }), 401, 'key_revoked');
});

test('an invalid or expired key does not sign in', async () => {
  const expiresAt = new Date(time.now + HOUR).toISOString();
  const made = await portal.admin('POST', '/v1/keys', { name: 'Short', owner: 'short', plan: 'free', expiresAt });
  time.now += 2 * HOUR;
  expectError(await signIn({ key: made.key }), 401, 'key_expired');
  expectError(await signIn({ key: `${made.key.slice(0, -1)}_` }), 401, 'key_invalid');
  expectError(await signIn({ key: 'x' }), 401, 'key_invalid');
  expectError(await signIn({}), 400, 'validation_failed');
  expectError(await signIn({ key: 'x', token: 'y' }), 400, 'validation_failed');
});

test('failed sign-ins are limited per address, and a link that is refused because of that stays valid', async () => {
  const headers = from();
  for (let attempt = 0; attempt < 10; attempt++) {
    expectError(await signIn({ token: `once_${'x'.repeat(43)}` }, headers), 401, 'link_invalid');
  }
  const token = await portal.link(await portal.account('patient'));
  const refused = await signIn({ token }, headers);
  expectError(refused, 429, 'too_many_failed_attempts');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn({ token })).status).toBe(201);
});

test('disabling an account ends its sessions and its sign-in links', async () => {
  const id = await portal.account('disabled');
  const browser = await portal.signInAs(id);
  const token = await portal.link(id);
  await portal.admin('PATCH', `/v1/accounts/${id}`, { status: 'disabled' });
  const ended = await browser.get('/api/session');
  expectError(ended, 401, 'sign_in_needed');
  expect(ended.headers.get('set-cookie')).toMatch(/^tollgate-portal=; .*Max-Age=0$/);
  expectError(await signIn({ token }), 401, 'link_invalid');
});

test('a session ends after eight hours without use, and immediately when its owner signs out', async () => {
  const id = await portal.account('idle');
  const [one, other] = [await portal.signInAs(id), await portal.signInAs(id)];
  const cookie = other.cookie;
  expect((await other.call('DELETE', '/api/session')).status).toBe(204);
  other.cookie = cookie;
  expectError(await other.get('/api/session'), 401, 'sign_in_needed');
  time.now += 8 * HOUR;
  expectError(await one.get('/api/session'), 401, 'sign_in_needed');
});

test('a new sign-in in a browser ends its old session, and other sessions are listed and can be ended', async () => {
  const id = await portal.account('many');
  const browser = await portal.signInAs(id);
  const before = browser.cookie;
  await browser.post('/api/session', { token: await portal.link(id) });
  const old = portal.browser();
  old.cookie = before;
  expectError(await old.get('/api/session'), 401, 'sign_in_needed');
  const elsewhere = await portal.signInAs(id);
  const { items } = (await browser.get('/api/sessions')).body;
  expect(items.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
  const { session } = (await elsewhere.get('/api/session')).body;
  expect((await browser.call('DELETE', `/api/sessions/${session.id}`)).status).toBe(204);
  expectError(await elsewhere.get('/api/session'), 401, 'sign_in_needed');
  expectError(await browser.call('DELETE', `/api/sessions/${session.id}`), 404, 'session_not_found');
});

// If others could, a page of another site could make changes with a person's cookie, or sign the person in to someone
// else's session.
test('only pages of the portal can make changes or sign in', async () => {
  const id = await portal.account('csrf');
  const browser = await portal.signInAs(id);
  const token = await portal.link(id);
  const others = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
  ];
  for (const headers of others) {
    const json = { name: 'Evil' };
    const sent = { ...headers, 'Sec-Fetch-Site': headers['Sec-Fetch-Site'] ?? 'cross-site' };
    expectError(await browser.call('POST', '/api/keys', { json, headers: sent }), 403, 'cross_origin');
    expectError(await browser.call('DELETE', '/api/session', { headers: sent }), 403, 'cross_origin');
    expectError(await signIn({ token }, sent), 403, 'cross_origin');
  }
  expect((await browser.get('/api/keys')).body.items).toEqual([]);
  // The rejected attempts did not use up the link.
  expect((await signIn({ token })).status).toBe(201);
});

test('signing in over plain HTTP is refused for a host that is not loopback', async () => {
  const token = await portal.link(await portal.account('tls'));
  const plain = { Origin: 'http://portal.example.com', Host: 'portal.example.com', ...from() };
  expectError(await signIn({ token }, plain), 403, 'insecure_connection');
});

// Strangers must not learn from responses which paths exist, in whatever spelling.
test("without a session, every path of the portal's API returns 401, whether or not it exists", async () => {
  const paths = ['/api/keys', '/api/nothing', '/api', '/api/site/', '/api//site', '/api/%73ite', '/api/session/x'];
  for (const path of [...paths, '/api/keys/../site', '/nothing', '/api/%']) {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(`${path} ${await rawStatus(method, path)}`).toBe(`${path} 401`);
  }
  const forged = new PortalBrowser(portal.gateway.portalUrl);
  forged.cookie = `tollgate-portal=${'x'.repeat(43)}`;
  expectError(await forged.get('/api/keys'), 401, 'sign_in_needed');
  forged.cookie = "tollgate-portal=' OR 1=1";
  expectError(await forged.get('/api/keys'), 401, 'sign_in_needed');
});

test('anyone can read the title and the sign-in methods of the portal', async () => {
  const { body } = await portal.browser().get('/api/site');
  expect(body).toEqual({
    title: 'API portal',
    logo: null,
    accent: null,
    signIn: ['link', 'key'],
    signUp: 'invite',
    apiUrl: portal.gateway.url,
    public: false,
    contact: null,
  });
});

test('no link, key or cookie is written to the log or the audit log', async () => {
  const id = await portal.account('secretive');
  const token = await portal.link(id);
  const browser = portal.browser();
  await browser.post('/api/session/preview', { token });
  await browser.post('/api/session', { token });
  const { key } = (await browser.post('/api/keys', { name: 'Secret' })).body;
  await (await portal.signInWith(key)).post('/api/try', { keyId: 'x', method: 'GET', path: '/pets' });
  await signIn({ token });
  await browser.get(`/api/keys?${token}`);
  const secret = browser.cookie.split('=')[1] ?? '';
  const audit = JSON.stringify(await portal.admin('GET', '/v1/audit?limit=100'));
  for (const text of [portal.gateway.logs.join('\n'), audit]) {
    expect(text).toContain(id);
    for (const hidden of [token, key, secret]) expect(text).not.toContain(hidden);
  }
});

/** Requests the path unchanged, because `fetch` would normalize it. */
function rawStatus(method: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(portal.gateway.portalUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}
