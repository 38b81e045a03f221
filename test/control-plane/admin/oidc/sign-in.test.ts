import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { serverNames } from '../../../../src/base/host-names.ts';
import { isGatewayCookie } from '../../../../src/http/headers.ts';
import { OpenIdProvider } from '../../../../src/control-plane/sign-in/openid-provider.ts';
import { ConsoleSessions } from '../../../../src/control-plane/admin/access/console-sessions.ts';
import { NOW, startAdmin, type Admin } from '../../../support/gateway/admin.ts';
import { createBrowser } from '../../../support/gateway/browser.ts';
import { CookieJar } from '../../../support/gateway/cookie-jar.ts';
import { startPrefixProxy } from '../../../support/gateway/prefix-proxy.ts';
import { CLIENT, startOidcServer, type OidcServer } from '../../../support/servers/oidc-server.ts';

const PREFIX = '/gateway';

let proxy: Awaited<ReturnType<typeof startPrefixProxy>>;
let oidc: OidcServer;
let admin: Admin;

const settings = () => {
  const roles = { issuer: oidc.issuer, admins: ['platform'], viewers: ['support'] };
  return {
    ...roles,
    ...CLIENT,
    claim: 'groups',
    redirectUri: `${proxy.url.href}/console/oidc/callback`,
    timeoutMs: 20_000,
  };
};
const startWith = (over: Partial<ReturnType<typeof settings>> = {}) => {
  const all = { ...settings(), ...over };
  return startAdmin({
    publicUrl: proxy.url,
    oidc: { provider: new OpenIdProvider(all), roles: all, publicUrl: proxy.url },
  });
};
const page = (path: string) => new URL(proxy.url.href + path);
const isCallback = (url: URL) => url.pathname === `${PREFIX}/console/oidc/callback`;

beforeAll(async () => {
  proxy = await startPrefixProxy(PREFIX);
  oidc = await startOidcServer(page('/console/oidc/callback').href);
});
afterAll(() => {
  proxy.stop();
  oidc.stop();
});
beforeAll(async () => {
  admin = await startWith();
});
afterAll(() => admin.stop());
let jar: CookieJar;
beforeEach(() => {
  jar = new CookieJar();
  oidc.instead = null;
  oidc.claims = { sub: 'u-1', email: 'alice@example.com', email_verified: true, groups: ['platform', 'all'] };
  proxy.passTo(admin.url);
});

const requireSession = async (cookies = jar) => {
  const cookie = cookies.cookiesFor(page('/v1/session'));
  return (await createBrowser(admin, cookie).get('/v1/session')).body;
};

test('people sign in through their provider for 12 hours, and the audit log has their email address', async () => {
  expect((await admin.call('GET', '/v1/session/methods', { token: null })).body).toEqual({
    methods: ['oidc', 'token'],
  });
  expect((await jar.walk(page('/console/oidc'))).href).toBe(page('/console/').href);
  const who = await requireSession();
  expect(who).toMatchObject({ name: 'oidc:alice@example.com', role: 'admin', session: { method: 'oidc' } });
  expect(who.session.expiresAt).toBe(new Date(NOW + 12 * 3_600_000).toISOString());
  const [entry] = (await admin.get('/v1/audit?limit=1')).body.items;
  expect(entry).toMatchObject({ actor: 'oidc:alice@example.com', action: 'session.start', subject: who.session.id });
});

test('host names of the provider are resolved without blocking a thread', async () => {
  const lookups = jest.spyOn(serverNames, 'lookup');
  expect((await jar.walk(page('/console/oidc'))).href).toBe(page('/console/').href);
  expect(lookups.mock.calls.length).toBeGreaterThan(0);
  expect(new Set(lookups.mock.calls.map(([name]) => name))).toEqual(new Set([new URL(oidc.issuer).hostname]));
  lookups.mockRestore();
});

test('the sign-in is bound to the browser by a cookie that scripts cannot read', async () => {
  const response = await jar.get(page('/console/oidc'));
  expect(response.status).toBe(303);
  expect(response.headers.getSetCookie().every(isGatewayCookie)).toBe(true);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^tollgate-console-oidc=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    ),
  ]);
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  const value = response.headers.getSetCookie()[0]!.split(/[=;]/)[1]!;
  const [state, nonce, codeVerifier] = value.split('.');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'tollgate',
    response_type: 'code',
    // The URL is that of `admin.url`, because the proxy sends another Host.
    redirect_uri: page('/console/oidc/callback').href,
    scope: 'openid email profile groups',
    state,
    nonce,
    code_challenge_method: 'S256',
  });
  expect(searchParams.get('code_challenge')).not.toBe(codeVerifier);
});

test('over HTTPS, the cookies of the sign-in and of the session are sent only over HTTPS', async () => {
  const publicUrl = new URL('https://tollgate.example.com');
  const provider = {
    createFlow: () => ({ state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) }),
    createAuthorizationUrl: async () => new URL(oidc.issuer),
    identify: async () => ({ sub: 'a', groups: ['platform'] }),
  };
  const secure = await startAdmin({ publicUrl, oidc: { provider, roles: settings(), publicUrl } });
  const redirect = await fetch(`${secure.url}/console/oidc`, { redirect: 'manual' });
  const [flow = ''] = redirect.headers.getSetCookie();
  expect(flow).toMatch(/^__Host-tollgate-console-oidc=.*; Path=\/; .*; Secure$/);
  const own = flow.split(';', 1)[0]!;
  const openCallback = (Cookie: string) =>
    fetch(`${secure.url}/console/oidc/callback?code=x`, { redirect: 'manual', headers: { Cookie } });
  // A sibling host can set these cookies, and could sign people in as the attacker with them.
  for (const prefix of ['', '__Secure-']) {
    const planted = await openCallback(own.replace('__Host-', prefix));
    expect(planted.headers.get('location')).toMatch(/#sign-in-failed=rejected$/);
  }
  const back = await openCallback(own);
  expect(back.headers.get('location')).toBe('https://tollgate.example.com/console/');
  expect(back.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-tollgate-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    ),
    expect.stringMatching(/^__Host-tollgate-console-oidc=; .*Max-Age=0; Secure$/),
  ]);
  await secure.stop();
});

function openSessions({ database }: Admin): ConsoleSessions {
  return new ConsoleSessions(database, pino({ level: 'silent' }));
}

describe('access through a provider', () => {
  const readFailure = async () => (await jar.walk(page('/console/oidc'))).hash;

  test('depends on the claim that determines the role', async () => {
    oidc.claims = { ...oidc.claims, groups: ['support'] };
    await jar.walk(page('/console/oidc'));
    expect(await requireSession()).toMatchObject({ role: 'viewer' });
  });

  test('is denied to people without a role, and the page gets the reason', async () => {
    for (const groups of [['all'], [], 'support2', undefined, { platform: true }]) {
      oidc.claims = { ...oidc.claims, groups };
      expect(await readFailure()).toBe('#sign-in-failed=not_allowed');
      expect(jar.cookiesFor(page('/console/'))).toBe('');
    }
  });

  test('ends when the role is removed from the configuration', async () => {
    await jar.walk(page('/console/oidc'));
    const cookie = jar.cookiesFor(page('/v1/session'));
    const roles = { issuer: oidc.issuer, claim: 'groups', admins: [], viewers: ['all'] };
    const later = await startAdmin({
      sessions: openSessions(admin),
      oidc: { provider: new OpenIdProvider(settings()), roles, publicUrl: proxy.url },
    });
    expect((await createBrowser(later, cookie).get('/v1/session')).status).toBe(401);
    await later.stop();
    const without = await startAdmin({ sessions: openSessions(admin) });
    expect((await createBrowser(without, cookie).get('/v1/session')).status).toBe(401);
    await without.stop();
  });

  // At least one large provider lets users claim any email address.
  test('depends on an email address only if the provider has verified it', async () => {
    const byAddress = await startWith({ claim: 'email', admins: ['alice@example.com'] });
    proxy.passTo(byAddress.url);
    oidc.claims = { sub: 'u-2', email: 'alice@example.com', email_verified: false };
    expect(await readFailure()).toBe('#sign-in-failed=not_allowed');
    oidc.claims = { sub: 'u-2', email: 'alice@example.com', email_verified: true };
    expect(await readFailure()).toBe('');
    await byAddress.stop();
  });

  test('is recorded under the subject if the address is not verified', async () => {
    oidc.claims = { sub: 'u-3', email: 'admin', groups: ['platform'] };
    await jar.walk(page('/console/oidc'));
    expect(await requireSession()).toMatchObject({ name: 'oidc:u-3' });
  });
});

describe('in an attack,', () => {
  let attacked: Admin;
  // Failed attempts are limited, so each test has a new gateway.
  beforeEach(async () => {
    attacked = await startWith();
    proxy.passTo(attacked.url);
  });
  afterEach(() => attacked.stop());

  /** An attacker signs in at the provider but does not open the callback URL. */
  const callbackForAttacker = async () => {
    const attacker = new CookieJar();
    const url = await attacker.walk(page('/console/oidc'), isCallback);
    return { attacker, url };
  };
  const readOutcome = async (cookies: CookieJar, url: URL) => (await cookies.walk(url)).hash;

  // If it did, everyone who follows the attacker's link would work in the attacker's session.
  test('a response of the provider for another browser does not sign in', async () => {
    const { url } = await callbackForAttacker();
    expect(await readOutcome(jar, url)).toBe('#sign-in-failed=rejected');
    await jar.walk(page('/console/oidc'), isCallback);
    expect(await readOutcome(jar, url)).toBe('#sign-in-failed=rejected');
    expect(jar.cookiesFor(page('/v1/session'))).toBe('');
  });

  test('a response of the provider can be used only once', async () => {
    const url = await jar.walk(page('/console/oidc'), isCallback);
    const flow = jar.cookiesFor(url);
    expect(await readOutcome(jar, url)).toBe('');
    const again = await fetch(url, { redirect: 'manual', headers: { Cookie: flow } });
    expect(again.headers.get('location')).toBe(`${page('/console/').href}#sign-in-failed=rejected`);
    expect(again.headers.getSetCookie()).toHaveLength(1);
  });

  test('a response of the provider is rejected if its state, nonce or code verifier belongs to another sign-in', async () => {
    for (const changed of [0, 1, 2]) {
      const url = await jar.walk(page('/console/oidc'), isCallback);
      const [name, value = ''] = jar.cookiesFor(url).split('=');
      const parts = value.split('.').map((part, index) => (index === changed ? 'x'.repeat(part.length) : part));
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie: `${name}=${parts.join('.')}` } });
      expect([changed, response.headers.get('location')]).toEqual([
        changed,
        `${page('/console/').href}#sign-in-failed=rejected`,
      ]);
    }
  });

  test('no code, token, secret or cookie of a sign-in is logged', async () => {
    const url = await jar.walk(page('/console/oidc'), isCallback);
    const flow = jar.cookiesFor(url).split('=')[1]!;
    await fetch(url, { headers: { Cookie: jar.cookiesFor(url).replace('.', '.x') } });
    await jar.walk(url);
    const logs = attacked.logs.join('');
    expect(logs).toContain('"failure":"the provider did not confirm an identity"');
    for (const secret of [url.searchParams.get('code')!, ...flow.split('.'), CLIENT.clientSecret])
      expect(logs).not.toContain(secret);
  });

  test('failed attempts are limited per address and then do not reach the provider', async () => {
    const guess = (code: number) =>
      fetch(page(`/console/oidc/callback?state=${'s'.repeat(43)}&code=${code}`), {
        redirect: 'manual',
        headers: { Cookie: `tollgate-console-oidc=${['s', 'n', 'v'].map((one) => one.repeat(43)).join('.')}` },
      });
    for (let code = 0; code < 10; code++) expect((await guess(code)).status).toBe(303);
    let providerRequests = 0;
    oidc.instead = (_req, res) => void (providerRequests++, res.destroy());
    const refused = await guess(10);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'too_many_failed_attempts' });
    expect(providerRequests).toBe(0);
  });
});

describe('an unavailable provider', () => {
  let other: Admin;
  beforeEach(async () => {
    other = await startWith({ timeoutMs: 2000 });
    proxy.passTo(other.url);
  });
  const readFailure = async () => (await jar.walk(page('/console/oidc'))).hash;

  test('is reported to the browser, and the next sign-in tries it again', async () => {
    oidc.instead = (_req, res) => void res.destroy();
    expect(await readFailure()).toBe('#sign-in-failed=unavailable');
    oidc.instead = (_req, res) => void res.writeHead(502).end('<h1>Bad gateway</h1>');
    expect(await readFailure()).toBe('#sign-in-failed=unavailable');
    oidc.instead = null;
    expect(await readFailure()).toBe('');
    await other.stop();
  });

  test('delays the sign-in only up to the time limit, before and after the redirect', async () => {
    const hang = () => {};
    oidc.instead = hang;
    expect(await readFailure()).toBe('#sign-in-failed=unavailable');
    oidc.instead = null;
    const url = await jar.walk(page('/console/oidc'), isCallback);
    oidc.instead = hang;
    expect((await jar.walk(url)).hash).toBe('#sign-in-failed=unavailable');
    await other.stop();
  });
});
