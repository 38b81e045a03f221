import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, TOKEN, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { createBrowser, readCookie, sameOrigin, signIn } from '../../../support/gateway/browser.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const attempt = (token: string, headers: Record<string, string> = sameOrigin(admin)) =>
  admin.call('POST', '/v1/session', { token: null, json: { token }, headers });

test('a token can be exchanged for a cookie that scripts cannot read and other sites cannot use', async () => {
  const response = await attempt(TOKEN);
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^tollgate-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/),
  ]);
  expect(response.body).toMatchObject({
    name: 'ops',
    role: 'admin',
    session: { name: 'ops', role: 'admin', method: 'token', address: '127.0.0.1', current: true },
  });
  const browser = createBrowser(admin, readCookie(response));
  expect((await browser.get('/v1/session')).body).toEqual(response.body);
  const created = await browser.call('POST', '/v1/keys', { json: { name: 'a', owner: 'a', plan: 'free' } });
  expect(created.status).toBe(201);
  const [entry] = (await browser.get('/v1/audit?limit=1')).body.items;
  expect(entry).toMatchObject({ actor: 'ops', action: 'key.create', subject: created.body.id });
});

test('a caller with a token can read its own name and role without a session', async () => {
  const { body } = await admin.call('GET', '/v1/session', { token: VIEWER });
  expect(body).toEqual({ name: 'board', role: 'viewer', session: null });
  expect((await admin.call('GET', '/v1/session/methods', { token: null })).body).toEqual({ methods: ['token'] });
  expectError(await admin.call('GET', '/v1/session', { token: null }), 401, 'unauthorized');
});

test('a viewer who is signed in can only read and sign out', async () => {
  const viewer = await signIn(admin, VIEWER);
  expect((await viewer.get('/v1/keys')).status).toBe(200);
  expectError(await viewer.call('POST', '/v1/keys', { json: {} }), 403, 'forbidden');
  expectError(await viewer.call('DELETE', '/v1/sessions/x'), 403, 'forbidden');
  expect((await viewer.call('DELETE', '/v1/session')).status).toBe(204);
  expectError(await viewer.get('/v1/keys'), 401, 'unauthorized');
});

describe('signing in', () => {
  // Everyone on the network path could read a cookie that is sent over plain HTTP, and use it.
  test('over plain HTTP to a host that is not loopback is rejected, and the error says what to use instead', async () => {
    const [host, name] = ['tollgate.example.com', 'http://tollgate.example.com'];
    for (const extra of ['', 'Sec-Fetch-Site: same-origin\r\n']) {
      const body = JSON.stringify({ token: TOKEN });
      const head = `Host: ${host}\r\nOrigin: ${name}\r\n${extra}Content-Type: application/json\r\nConnection: close\r\n`;
      const { status, text } = await admin.raw(
        `POST /v1/session HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(status).toBe(403);
      expect(text).toContain('"code":"insecure_connection"');
      expect(text).toContain('Use HTTPS or a loopback address');
      expect(text).not.toContain('Set-Cookie');
    }
  });

  test('without an Origin header, as programs do, is accepted from a loopback address', async () => {
    expect(readCookie(await attempt(TOKEN, {}))).toMatch(/^tollgate-console=/);
  });
});

// The attack: an attacker's page, or a service on another port, sets a cookie whose value the attacker knows, and waits
// until someone signs in with it.
describe('against session fixation,', () => {
  test('signing in creates a new session, whatever cookie was sent', async () => {
    const planted = `tollgate-console=${'A'.repeat(43)}`;
    const response = await attempt(TOKEN, { ...sameOrigin(admin), Cookie: planted });
    expect(readCookie(response)).not.toBe(planted);
    expectError(await createBrowser(admin, planted).get('/v1/keys'), 401, 'unauthorized');
  });

  test('signing in ends the session of the cookie that was sent', async () => {
    const attacker = await signIn(admin, VIEWER);
    const victim = await attempt(TOKEN, { ...sameOrigin(admin), Cookie: attacker.cookie });
    expectError(await attacker.get('/v1/keys'), 401, 'unauthorized');
    expect((await createBrowser(admin, readCookie(victim)).get('/v1/session')).body).toMatchObject({ name: 'ops' });
  });

  test('a request with two session cookies is not signed in', async () => {
    const [one, other] = [await signIn(admin), await signIn(admin, VIEWER)];
    expectError(await createBrowser(admin, `${one.cookie}; ${other.cookie}`).get('/v1/keys'), 401, 'unauthorized');
  });
});

describe('a sign-in link for the console', () => {
  const withConsole = { console: new Map() };
  let linked: Admin;
  beforeAll(async () => {
    linked = await startAdmin(withConsole);
  });
  afterAll(() => linked.stop());

  const newLink = async () => (await linked.call('POST', '/v1/session/link')).body;
  const spend = (url: string) =>
    linked.call('POST', '/v1/session', {
      token: null,
      json: { token: new URL(url).hash.slice('#token='.length) },
      headers: sameOrigin(linked),
    });

  test('works once, and gives the session the name and role of the token that created the link', async () => {
    const { url, expiresAt } = await newLink();
    expect(url).toMatch(new RegExp(`^${RegExp.escape(linked.url)}/console/#token=once_[\\w-]{43}$`));
    expect(expiresAt).toBe(new Date(NOW + 15 * 60_000).toISOString());
    const response = await spend(url);
    expect(response.body).toMatchObject({ name: 'ops', role: 'admin', session: { method: 'link' } });
    expectError(await spend(url), 401, 'unauthorized');
    const [, made] = (await linked.get('/v1/audit')).body.items;
    expect(made).toMatchObject({ actor: 'ops', action: 'session.link', subject: 'ops', after: { expiresAt } });
    expect(linked.logs.join('')).not.toContain(new URL(url).hash.slice(1));
  });

  test('expires after 15 minutes, or when a newer link is created', async () => {
    const old = await newLink();
    linked.time.now += 15 * 60_000;
    expect((await spend(old.url)).status).not.toBe(201);
    const [first, second] = [await newLink(), await newLink()];
    expect((await spend(first.url)).status).not.toBe(201);
    expect((await spend(second.url)).status).toBe(201);
  });

  test('cannot be created by a viewer or from a session, because a session may be stolen', async () => {
    const browser = await signIn(linked);
    expectError(await browser.call('POST', '/v1/session/link'), 403, 'forbidden');
    expectError(await linked.call('POST', '/v1/session/link', { token: VIEWER }), 403, 'forbidden');
  });

  test('cannot be created if there is no console', async () => {
    expectError(await admin.call('POST', '/v1/session/link'), 404, 'route_not_found');
  });
});

test('failed sign-ins are limited like requests with a wrong token, and never block a valid token', async () => {
  const fresh = await startAdmin();
  const signInWithWrongToken = () =>
    fresh.call('POST', '/v1/session', { token: null, json: { token: 'wrong' }, headers: sameOrigin(fresh) });
  for (let count = 0; count < 10; count++) expectError(await signInWithWrongToken(), 401, 'unauthorized');
  const refused = await signInWithWrongToken();
  expectError(refused, 429, 'too_many_failed_attempts');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  await signIn(fresh);
  await fresh.stop();
});

test('no token or session cookie is logged', async () => {
  const browser = await signIn(admin);
  await browser.get('/v1/keys');
  const logs = admin.logs.join('');
  expect(logs).toContain('"operation":"signIn"');
  for (const secret of [TOKEN, VIEWER, browser.cookie.split('=')[1]!]) expect(logs).not.toContain(secret);
});
