/**
 * An account sees its callers with access tokens and their usage. The portal offers it no actions that need a secret.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import { callWithToken, tokenSettings } from '../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../support/servers/token-issuer.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let portal: PortalUnderTest;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }];
  const enabled = { enabled: true, maxKeys: 1 };
  portal = await startPortalPages({ settings: tokenSettings(tokens, { portal: enabled }) });
});
afterAll(async () => {
  await portal.stop();
  issuer.stop();
});

async function addCaller(caller: string, owner: string): Promise<string> {
  const body = JSON.stringify({ kind: 'token', token: { name: 'corp', caller }, owner });
  const response = await portal.gateway.admin('/v1/keys', { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

test('the reference and the guide say that an access token works in place of a key', async () => {
  const open = await portal.openAs(await portal.account('reader'));
  const { page } = open;
  await open.show('/docs/getting-started');
  await page.getByText('An access token of an identity provider works in place of a key').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await open.show('/reference/getEcho');
  await page.getByRole('heading', { name: 'Credentials' }).waitFor();
  await page.getByText('Accepted in place of the key').waitFor();
  await page.getByText(`issued by ${issuer.url}`).waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await open.show('/reference/getPublic');
  await page.getByRole('heading', { name: 'Responses' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Credentials' }).count()).toBe(0);
  await open.close();
});

test('a caller is listed with its usage, and offers neither rotation nor revocation nor “Try it”', async () => {
  const accountId = await portal.account('acme');
  const owner = await portal.signInAs(accountId);
  const id = await addCaller('app-1', 'acme');
  await addCaller('w'.repeat(120), 'acme');
  // The two callers do not count as keys, so the account can still create its only key.
  expect((await owner.post('/api/keys', { name: 'Shop' })).status).toBe(201);
  expect((await owner.post('/api/keys', { name: 'Second' })).body).toMatchObject({ code: 'too_many_keys' });
  expect((await owner.post(`/api/keys/${id}/revoke`, {})).body).toMatchObject({ code: 'conflict' });
  expect((await owner.post(`/api/keys/${id}/rotate`, {})).body).toMatchObject({ code: 'conflict' });

  const claims = { iss: issuer.url, aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 300, azp: 'app-1' };
  const token = signToken(key, { alg: key.alg, kid: 'one' }, claims);
  expect((await callWithToken(portal.gateway, token)).status).toBe(200);
  await until(async () => {
    const response = await portal.gateway.admin(`/v1/usage?key=${id}`);
    const { series } = (await response.json()) as { series: { totals: { requests: number } }[] };
    return series[0]?.totals.requests === 1;
  });

  const open = await portal.openAs(accountId);
  const { page } = open;
  await open.show('/keys');
  await page
    .getByText('Applications that use access tokens are listed too, but are not part of that number.')
    .waitFor();
  await page.getByText('corp:app-1').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.getByRole('button', { name: 'Actions for app-1' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Rename…', 'Allowed addresses…']);
  await page.keyboard.press('Escape');

  await open.show('/usage');
  await page.getByRole('link', { name: 'app-1 (access tokens)' }).waitFor();
  expect(await findVisualProblems(open)).toEqual([]);

  await open.show('/reference/getEcho');
  const choice = page.getByLabel('Key', { exact: true });
  await choice.waitFor();
  expect(await choice.locator('option').allInnerTexts()).toEqual([expect.stringContaining('Shop')]);
  expect(await open.pageErrors()).toEqual([]);
  await open.close();
});
