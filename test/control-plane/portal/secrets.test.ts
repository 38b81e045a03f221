/**
 * Nobody can sign in after reading the database, a backup or the log. Links, keys and session cookies are stored as
 * hashes only, and no secret of an OpenID Connect sign-in is stored. For rows in PostgreSQL, see
 * test/contract/accounts.contract.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashForUse } from '../../../src/base/secrets.ts';
import { CookieJar } from '../../support/gateway/cookie-jar.ts';
import { startPortal, type Portal, type PortalBrowser } from '../../support/gateway/portal.ts';
import { startPrefixProxy } from '../../support/gateway/prefix-proxy.ts';
import { CLIENT, startOidcServer, type OidcServer } from '../../support/servers/oidc-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let proxy: Awaited<ReturnType<typeof startPrefixProxy>>;
let oidc: OidcServer;
let portal: Portal;

/** The secrets by their description, and the hashes that are stored. */
const secrets: Record<string, string> = {};
const hashes: string[] = [];

const page = (path: string) => new URL(proxy.url.href + path);
const isCallback = ({ pathname }: URL) => pathname.endsWith('/api/oidc/callback');

beforeAll(async () => {
  proxy = await startPrefixProxy('/developers');
  oidc = await startOidcServer(page('/api/oidc/callback').href);
  const provider = { issuer: oidc.issuer, clientId: CLIENT.clientId, clientSecret: '${PORTAL_SECRET}' };
  portal = await startPortal({
    dataDir: folder.path,
    settings: { portal: { url: proxy.url.href, signUp: 'open', oidc: provider } },
    env: { PORTAL_SECRET: CLIENT.clientSecret },
  });
  proxy.passTo(portal.gateway.portalUrl);
  secrets['secret of the client'] = CLIENT.clientSecret;
  await byLinkAndKey(await portal.account('acme'));
  await byOidc();
});
afterAll(async () => {
  await portal.stop();
  proxy.stop();
  oidc.stop();
  folder.remove();
});

/** Creates an unused link, a used link, and a key that also signs in. */
async function byLinkAndKey(accountId: string): Promise<void> {
  const [unspent, spent] = [await portal.link(accountId), await portal.link(accountId)];
  const browser = portal.browser();
  await browser.post('/api/session/preview', { token: spent });
  await browser.post('/api/session', { token: spent });
  await browser.post('/api/session', { token: spent });
  await browser.get(`/api/keys?token=${spent}`);
  const created = (await browser.post('/api/keys', { name: 'Shop' })).body;
  const rotated = (await browser.post(`/api/keys/${created.id}/rotate`, {})).body;
  const byKey = await portal.signInWith(created.key);
  await portal.browser().post('/api/session', { key: `${created.key}x` });
  Object.assign(secrets, { 'unspent link': unspent, 'spent link': spent, key: created.key, 'new key': rotated.key });
  hashes.push(hashForUse('account-link', unspent));
  recordSession('session by link', browser);
  recordSession('session by key', byKey);
}

function recordSession(name: string, { cookie }: Pick<PortalBrowser, 'cookie'>): void {
  const [use = '', secret = ''] = cookie.split('=');
  expect(secret).toMatch(/^[\w-]{43}$/);
  secrets[name] = secret;
  hashes.push(hashForUse(use, secret));
}

/** Runs three sign-ins: one succeeds, one has a wrong code, and one has a wrong state. */
async function byOidc(): Promise<void> {
  oidc.claims = { sub: 'u-1', email: 'alice@example.com', email_verified: true };
  const jar = new CookieJar();
  const back = await jar.walk(page('/api/oidc/start'), isCallback);
  recordFlow('of the successful sign-in', jar, back);
  await jar.walk(back);
  recordSession('session by OpenID Connect', { cookie: jar.cookiesFor(page('/api/session')) });
  for (const part of ['code', 'state']) {
    const other = new CookieJar();
    const url = await other.walk(page('/api/oidc/start'), isCallback);
    recordFlow(`with a wrong ${part}`, other, url);
    url.searchParams.set(part, `${url.searchParams.get(part)}x`);
    expect((await other.walk(url)).hash).toBe('#sign-in-failed=rejected');
  }
  expect(oidc.tokens).toHaveLength(2);
  for (const [index, token] of oidc.tokens.entries()) secrets[`token ${index}`] = token;
}

function recordFlow(name: string, jar: CookieJar, back: URL): void {
  const [state, nonce, verifier] = (jar.cookiesFor(back).split('=')[1] ?? '').split('.');
  expect(back.searchParams.get('state')).toBe(state);
  const parts = { state, nonce, verifier, code: back.searchParams.get('code') };
  for (const [part, value] of Object.entries(parts)) {
    expect(value).toMatch(/^[\w-]{20,}$/);
    secrets[`${part} ${name}`] = value ?? '';
  }
}

/** Lists the names of the secrets that a text contains. The end of a secret is enough to find it. */
function findSecrets(text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret.slice(-32)) ? [name] : []));
}

test('the secrets to search for were collected, and no two are the same', () => {
  expect(Object.keys(secrets).length).toBeGreaterThan(18);
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
});

test('the files of the gateway contain hashes of secrets but no secret', () => {
  // The files include the write-ahead log, where deleted data stays for a while.
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
  expect(files.map(({ name }) => name)).toContain('tollgate.db-wal');
  expect(hashes.filter((hash) => !bytes.includes(hash))).toEqual([]);
  expect(findSecrets(bytes)).toEqual([]);
});

test('the log contains no secret, even at its most detailed level', () => {
  const text = portal.gateway.logs.join('\n');
  expect(text).toContain('OpenID Connect sign-in failed');
  expect(text).toContain('"path":"/api/oidc/callback"');
  expect(findSecrets(text)).toEqual([]);
});

test('the audit log contains no secret', async () => {
  const text = JSON.stringify(await portal.admin('GET', '/v1/audit?limit=100'));
  expect(text).toContain('account.sign_in');
  expect(findSecrets(text)).toEqual([]);
});
