/**
 * The attack: a page of another origin makes the browser of a signed-in person send requests with the person's cookie.
 * It can use a form, which needs no permission, or `fetch`. A service on another port of the same host can do so even
 * though the cookie is `SameSite=Strict`.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, startAdmin, TOKEN, type Admin } from '../../../support/gateway/admin.ts';
import { createBrowser, readCookie, signIn, type Browser } from '../../../support/gateway/browser.ts';

let admin: Admin;
let browser: Browser;
beforeAll(async () => {
  admin = await startAdmin();
  browser = await signIn(admin);
});
afterAll(() => admin.stop());

const json = { name: 'a', owner: 'a', plan: 'free' };
const change = (headers: Record<string, string>, cookie = browser.cookie) =>
  admin.call('POST', '/v1/keys', { token: null, json, headers: { Cookie: cookie, ...headers } });

describe('a change that is authenticated by a cookie', () => {
  test('from a form of another site is rejected', async () => {
    const form = { 'Content-Type': 'text/plain', Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const response = await admin.call('POST', '/v1/keys', {
      token: null,
      raw: JSON.stringify(json),
      headers: { Cookie: browser.cookie, ...form },
    });
    expectError(response, 403, 'cross_origin');
  });

  test('with fetch from another origin is rejected, even from another port of the same host', async () => {
    expectError(await change({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }), 403, 'cross_origin');
    expectError(await change({ Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }), 403, 'cross_origin');
    // `Sec-Fetch-Site` takes precedence over a correct `Origin`.
    expectError(await change({ Origin: admin.url, 'Sec-Fetch-Site': 'cross-site' }), 403, 'cross_origin');
    expectError(await change({ Origin: admin.url, 'Sec-Fetch-Site': 'none' }), 403, 'cross_origin');
  });

  test('from a browser that sends no Sec-Fetch-Site requires the Origin of the console', async () => {
    const port = new URL(admin.url).port;
    for (const Origin of [
      'null',
      'https://evil.example',
      'http://127.0.0.1:1',
      `http://127.0.0.1:${port}.evil.example`,
    ])
      expectError(await change({ Origin }), 403, 'cross_origin');
    expectError(await change({ Origin: admin.url.replace('http:', 'https:') }), 403, 'cross_origin');
    expect((await change({ Origin: admin.url })).status).toBe(201);
  });

  test('without an origin is rejected', async () => {
    expectError(await change({}), 403, 'cross_origin');
    expectError(
      await admin.call('DELETE', '/v1/session', { token: null, headers: { Cookie: browser.cookie } }),
      403,
      'cross_origin',
    );
  });

  test('has no effect when rejected', async () => {
    const { items } = (await admin.get('/v1/keys')).body;
    expect(items).toHaveLength(1);
    expect((await browser.get('/v1/session')).status).toBe(200);
  });

  test('from the console itself is accepted', async () => {
    expect((await change({ Origin: admin.url, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
  });
});

test('a change that is authenticated by a token needs no origin', async () => {
  expect((await admin.post('/v1/keys', json)).status).toBe(201);
});

// If it were allowed, an attacker's page could sign people in as the attacker, and see what they do.
test('signing in from a page of another origin is rejected', async () => {
  const attempt = (headers: Record<string, string>) =>
    admin.call('POST', '/v1/session', { token: null, json: { token: TOKEN }, headers });
  expectError(await attempt({ 'Sec-Fetch-Site': 'cross-site' }), 403, 'cross_origin');
  expectError(await attempt({ 'Sec-Fetch-Site': 'same-site' }), 403, 'cross_origin');
  expectError(await attempt({ Origin: 'https://evil.example' }), 403, 'cross_origin');
  expectError(await attempt({ Origin: 'null' }), 403, 'cross_origin');
});

describe('behind a proxy that terminates TLS and changes Host,', () => {
  let proxied: Admin;
  const Origin = 'https://tollgate.example.com';
  beforeAll(async () => {
    proxied = await startAdmin({ publicUrl: new URL(`${Origin}/gateway`) });
  });
  afterAll(() => proxied.stop());

  test('admin.url determines the accepted origin', async () => {
    const response = await proxied.call('POST', '/v1/session', {
      token: null,
      json: { token: TOKEN },
      headers: { Origin },
    });
    expect(readCookie(response)).toMatch(/^__Host-tollgate-console=/);
    const signedIn = createBrowser(proxied, readCookie(response));
    const send = (origin: string) =>
      proxied.call('POST', '/v1/keys', { token: null, json, headers: { Cookie: signedIn.cookie, Origin: origin } });
    expect((await send(Origin)).status).toBe(201);
    expectError(await send('https://evil.example'), 403, 'cross_origin');
    expectError(await send('http://tollgate.example.com'), 403, 'cross_origin');
  });

  test('a program that signs in gets a cookie that is sent only over HTTPS', async () => {
    const response = await proxied.call('POST', '/v1/session', { token: null, json: { token: TOKEN } });
    expect(readCookie(response)).toMatch(/^__Host-/);
  });

  // Browsers send the password for a proxy in `Authorization`, where it is not an admin token.
  test('a password for the proxy does not interfere with the session', async () => {
    const { cookie } = createBrowser(
      proxied,
      readCookie(
        await proxied.call('POST', '/v1/session', { token: null, json: { token: TOKEN }, headers: { Origin } }),
      ),
    );
    const headers = { Cookie: cookie, Authorization: 'Basic dXNlcjpwYXNzd29yZA==' };
    expect((await proxied.call('GET', '/v1/keys', { token: null, headers })).status).toBe(200);
  });
});
