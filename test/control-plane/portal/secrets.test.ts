/**
 * Whoever reads the database, a backup of it or the log can sign in as nobody: of links, keys and session cookies only
 * hashes are kept, and nothing at all of what ties a sign-in with OpenID Connect together. The rows in PostgreSQL:
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

/** Secrets by what they are, and hashes of them that are kept. */
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

/** A link that stays open, one that signs in, and the key that is made then, which signs in, too. */
async function byLinkAndKey(accountId: string): Promise<void> {
  const [unspent, spent] = [await portal.link(accountId), await portal.link(accountId)];
  const browser = portal.browser();
  await browser.post('/api/session/preview', { token: spent });
  await browser.post('/api/session', { token: spent });
  await browser.post('/api/session', { token: spent });
  await browser.get(`/api/keys?token=${spent}`);
  const made = (await browser.post('/api/keys', { name: 'Shop' })).body;
  const rotated = (await browser.post(`/api/keys/${made.id}/rotate`, {})).body;
  const byKey = await portal.signedInWith(made.key);
  await portal.browser().post('/api/session', { key: `${made.key}x` });
  Object.assign(secrets, { 'unspent link': unspent, 'spent link': spent, key: made.key, 'new key': rotated.key });
  hashes.push(hashForUse('account-link', unspent));
  keep('session by link', browser);
  keep('session by key', byKey);
}

function keep(name: string, { cookie }: Pick<PortalBrowser, 'cookie'>): void {
  const [use = '', secret = ''] = cookie.split('=');
  expect(secret).toMatch(/^[\w-]{43}$/);
  secrets[name] = secret;
  hashes.push(hashForUse(use, secret));
}

/** One who is signed in, one whom the provider refuses because the code is wrong, and one whose state is. */
async function byOidc(): Promise<void> {
  oidc.claims = { sub: 'u-1', email: 'alice@example.com', email_verified: true };
  const jar = new CookieJar();
  const back = await jar.walk(page('/api/oidc/start'), isCallback);
  keepFlow('of who signed in', jar, back);
  await jar.walk(back);
  keep('session by OpenID Connect', { cookie: jar.cookiesFor(page('/api/session')) });
  for (const part of ['code', 'state']) {
    const other = new CookieJar();
    const url = await other.walk(page('/api/oidc/start'), isCallback);
    keepFlow(`with a wrong ${part}`, other, url);
    url.searchParams.set(part, `${url.searchParams.get(part)}x`);
    expect((await other.walk(url)).hash).toBe('#sign-in-failed=rejected');
  }
  expect(oidc.tokens).toHaveLength(2);
  for (const [index, token] of oidc.tokens.entries()) secrets[`token ${index}`] = token;
}

function keepFlow(name: string, jar: CookieJar, back: URL): void {
  const [state, nonce, verifier] = (jar.cookiesFor(back).split('=')[1] ?? '').split('.');
  expect(back.searchParams.get('state')).toBe(state);
  const parts = { state, nonce, verifier, code: back.searchParams.get('code') };
  for (const [part, value] of Object.entries(parts)) {
    expect(value).toMatch(/^[\w-]{20,}$/);
    secrets[`${part} ${name}`] = value ?? '';
  }
}

/** Which of the secrets are in a text. A part of one is enough to find it. */
function found(text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret.slice(-32)) ? [name] : []));
}

test('all secrets have enough entropy', () => {
  expect(Object.keys(secrets).length).toBeGreaterThan(18);
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
});

test('the files of the gateway contain hashes of valid secrets, never a secret', () => {
  // Among them the write-ahead log: what was written and deleted again is there for a while.
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
  expect(files.map(({ name }) => name)).toContain('tollgate.db-wal');
  expect(hashes.filter((hash) => !bytes.includes(hash))).toEqual([]);
  expect(found(bytes)).toEqual([]);
});

test('the log contains no secret, even at its most detailed level', () => {
  const text = portal.gateway.logs.join('\n');
  expect(text).toContain('OpenID Connect sign-in failed');
  expect(text).toContain('"path":"/api/oidc/callback"');
  expect(found(text)).toEqual([]);
});

test('the audit log contains no secret', async () => {
  const text = JSON.stringify(await portal.admin('GET', '/v1/audit?limit=100'));
  expect(text).toContain('account.sign_in');
  expect(found(text)).toEqual([]);
});
