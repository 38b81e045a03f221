import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPage } from '../support/browser/browser-page.ts';
import { startPrefixProxy } from '../support/gateway/prefix-proxy.ts';
import { CLIENT, type OidcServer, startOidcServer } from '../support/servers/oidc-server.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/** A person signs up with OpenID Connect, behind a proxy with a path prefix. */
let proxy: Awaited<ReturnType<typeof startPrefixProxy>>;
let oidc: OidcServer;
let portal: PortalUnderTest;

beforeAll(async () => {
  proxy = await startPrefixProxy('/developers');
  oidc = await startOidcServer(`${proxy.url.href}/api/oidc/callback`);
  const provider = { issuer: oidc.issuer, clientId: CLIENT.clientId, clientSecret: '${PORTAL_SECRET}' };
  portal = await startPortalPages({
    settings: { portal: { url: proxy.url.href, signUp: 'open', oidc: provider } },
    env: { PORTAL_SECRET: CLIENT.clientSecret },
  });
  proxy.passTo(portal.gateway.portalUrl);
});

afterAll(async () => {
  await portal.stop();
  proxy.stop();
  oidc.stop();
});

test('a new user can sign up, name the account, and sign in to it again', async () => {
  oidc.claims = { sub: 'u-1', name: 'Alice', email: 'alice@example.com', email_verified: true };
  const first = await openPage(portal.chromium, { url: `${proxy.url.href}/`, base: proxy.url.pathname });
  await first.page.getByRole('link', { name: 'Sign in or sign up' }).click();
  await first.page.getByRole('heading', { name: 'Welcome to API portal' }).waitFor();
  expect(await first.page.getByLabel('Name').inputValue()).toBe('Alice');
  expect(await first.findings()).toEqual([]);
  await first.page.setViewportSize({ width: 320, height: 640 });
  expect(await first.overflow()).toBeLessThanOrEqual(0);
  await first.page.getByLabel('Name').fill('Alice & Co.');
  await first.page.getByRole('button', { name: 'Continue' }).click();
  await first.page.getByRole('heading', { name: 'Alice & Co.' }).waitFor();
  await first.page.getByText('Create your first key').waitFor();
  expect(await first.pageErrors()).toEqual([]);
  await first.close();

  const again = await openPage(portal.chromium, { url: `${proxy.url.href}/`, base: proxy.url.pathname });
  await again.page.getByRole('link', { name: 'Sign in or sign up' }).click();
  await again.page.getByRole('heading', { name: 'Alice & Co.' }).waitFor();
  await again.show('/account');
  await again.page.getByRole('heading', { name: 'Alice & Co.' }).waitFor();
  expect(await again.pageErrors()).toEqual([]);
  await again.close();
  const { items } = await portal.admin('GET', '/v1/accounts');
  expect(items).toMatchObject([{ name: 'Alice & Co.', email: 'alice@example.com' }]);
});

test('a rejected sign-in shows the reason', async () => {
  const open = await openPage(portal.chromium, { url: `${proxy.url.href}/#sign-in-failed=not_allowed` });
  await open.page.getByText('You have no account here.').waitFor();
  expect(open.page.url()).not.toContain('sign-in-failed');
  await open.close();
});
