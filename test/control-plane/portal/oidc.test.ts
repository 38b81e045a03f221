/** People sign up and sign in with OpenID Connect, with a real provider and behind a proxy that adds a path prefix. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { isGatewayCookie } from '../../../src/http/headers.ts';
import { CookieJar } from '../../support/gateway/cookie-jar.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { startPrefixProxy } from '../../support/gateway/prefix-proxy.ts';
import { CLIENT, startOidcServer, type OidcServer } from '../../support/servers/oidc-server.ts';

let proxy: Awaited<ReturnType<typeof startPrefixProxy>>;
let oidc: OidcServer;
let portal: Portal;
let jar: CookieJar;

const page = (path: string) => new URL(proxy.url.href + path);

function startWith(signUp: 'invite' | 'open'): Promise<Portal> {
  const { clientId } = CLIENT;
  const provider = { issuer: oidc.issuer, clientId, clientSecret: '${PORTAL_SECRET}' };
  return startPortal({
    settings: { portal: { url: proxy.url.href, signUp, oidc: provider } },
    env: { PORTAL_SECRET: CLIENT.clientSecret },
  });
}

beforeAll(async () => {
  proxy = await startPrefixProxy('/developers');
  oidc = await startOidcServer(page('/api/oidc/callback').href);
  portal = await startWith('open');
});
afterAll(async () => {
  await portal.stop();
  proxy.stop();
  oidc.stop();
});
beforeEach(() => {
  jar = new CookieJar();
  proxy.passTo(portal.gateway.portalUrl);
});

async function requireSession() {
  const browser = portal.browser();
  browser.cookie = jar.cookiesFor(page('/api/session'));
  return (await browser.get('/api/session')).body;
}

test('the portal offers single sign-on and redirects to the provider', async () => {
  const { body } = await portal.browser().get('/api/site');
  expect(body).toMatchObject({ signIn: ['oidc', 'link', 'key'], signUp: 'open' });
  const redirect = await jar.get(page('/api/oidc/start'));
  expect(redirect.status).toBe(303);
  expect(redirect.headers.getSetCookie().every(isGatewayCookie)).toBe(true);
  expect(redirect.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^tollgate-portal-oidc=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    ),
  ]);
});

test('a new person gets an account on the sign-up plan, and the same account at the next sign-in', async () => {
  oidc.claims = { sub: 'u-1', email: 'alice@example.com', email_verified: true };
  // The first sign-in leads to a page that asks for a name.
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(page('/welcome').href);
  const { account, session } = await requireSession();
  expect(account).toMatchObject({ owner: account.id, email: 'alice@example.com', plan: 'free' });
  expect(account.name).toBe('alice@example.com');
  expect(session.method).toBe('oidc');
  expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(12 * 3_600_000);
  jar = new CookieJar();
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(page('/').href);
  expect((await requireSession()).account.id).toBe(account.id);
});

test.each([
  ['Zoë  Example', 'Zoë Example'],
  [`a${'b'.repeat(200)}`, `a${'b'.repeat(127)}`],
  ['line\nbreak\u0000', 'line break'],
  [' ', 'zoe@example.com'],
  [17, 'zoe@example.com'],
  // Names with invisible or incomplete characters are replaced by the email address.
  ['Zo\u202eë', 'zoe@example.com'],
  ['Zo\ud83d', 'zoe@example.com'],
])('a new account gets a valid name if the name at the provider is %j', async (name, expected) => {
  oidc.claims = {
    sub: `u-named-${expected.length}-${JSON.stringify(name).length}`,
    name,
    email: 'zoe@example.com',
    email_verified: true,
  };
  await jar.walk(page('/api/oidc/start'));
  const { account } = await requireSession();
  expect(account.name).toBe(expected);
  await portal.admin('DELETE', `/v1/accounts/${account.id}`);
});

// An identity consists of the issuer and the subject. An invalid subject does not identify anyone.
test.each([['zoë'], ['a'.repeat(256)], ['u\u202e1']])('a person with the subject %j is not signed in', async (sub) => {
  oidc.claims = { sub, email: 'odd@example.com', email_verified: true };
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(page('/#sign-in-failed=rejected').href);
  expect(portal.gateway.logs.join('\n')).toContain('the subject (sub) is not 1 to 255 printable ASCII characters');
});

test('a person with a verified email address gets the account that an operator created for it', async () => {
  const id = await portal.account('globex', { email: 'bob@example.com' });
  oidc.claims = { sub: 'u-mallory', email: 'bob@example.com', email_verified: false };
  await jar.walk(page('/api/oidc/start'));
  expect((await requireSession()).account.id).not.toBe(id);
  jar = new CookieJar();
  oidc.claims = { sub: 'u-bob', email: 'bob@example.com', email_verified: true };
  // Invited people already have a name, so no page asks for it.
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(page('/').href);
  expect((await requireSession()).account).toMatchObject({ id, owner: 'globex', name: 'globex' });
});

test('a person without an invitation or with a disabled account cannot sign in', async () => {
  const invited = await startWith('invite');
  proxy.passTo(invited.gateway.portalUrl);
  const refused = page('/#sign-in-failed=not_allowed').href;
  oidc.claims = { sub: 'u-stranger', email: 'eve@example.com', email_verified: true };
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(refused);
  const id = await invited.account('initech', { email: 'eve@example.com' });
  jar = new CookieJar();
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(page('/').href);
  await invited.admin('PATCH', `/v1/accounts/${id}`, { status: 'disabled' });
  jar = new CookieJar();
  expect((await jar.walk(page('/api/oidc/start'))).href).toBe(refused);
  expect(invited.gateway.logs.join('\n')).not.toContain('eve@example.com');
  await invited.stop();
});
