/**
 * The console finds callers with access tokens by their issuer, adds them and forgets them. The screen System shows the
 * results of verifying the tokens of a new issuer. Names are as long as allowed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findOverlaps, findVisualProblems } from '../support/browser/visual-checks.ts';
import { callWithToken, tokenSettings } from '../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../support/servers/token-issuer.ts';
import { until } from '../support/until.ts';
import { type ConsoleUnderTest, VIEWER_TOKEN } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');
const LONG_ISSUER = 'i'.repeat(32);
const LONG_VALUE = 'v'.repeat(120);

let issuer: TokenIssuerServer;
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const audience = [AUDIENCE];
  const tokens = [
    { name: 'corp', issuer: issuer.url, audience },
    { name: LONG_ISSUER, issuer: `${issuer.url}/${'p'.repeat(200)}`, jwksUri: `${issuer.url}/jwks`, audience },
    { name: 'lab', issuer: `${issuer.url}/lab`, audience, register: false },
  ];
  ({ console, open, page } = await startOnePage({ settings: tokenSettings(tokens) }, { at: '/plans' }));
  expect([await send({ azp: 'app-1' }), await send({ azp: 'app-1', aud: 'other' })]).toEqual([200, 401]);
  expect(await send({ azp: LONG_VALUE, iss: tokens[1]?.issuer })).toBe(200);
});

afterAll(async () => {
  await stopAndExpectNoErrors(console, open);
  issuer.stop();
});

async function send(claims: object): Promise<number> {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const token = signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, exp, ...claims });
  return (await callWithToken(console.gateway, token)).status;
}

async function findId(caller: string): Promise<string> {
  const { items } = (await (await console.gateway.admin('/v1/keys?kind=token&limit=100')).json()) as {
    items: { id: string; token: { caller: string } }[];
  };
  return items.find(({ token }) => token.caller === caller)?.id ?? '';
}

const rows = () => page.locator('main tbody tr:not([aria-hidden])').filter({ has: page.getByRole('link') });

test('the list of keys can be filtered by kind and by issuer', async () => {
  await open.show('/keys');
  const kind = page.getByLabel('Kind', { exact: true });
  await kind.selectOption('token');
  await page.getByText('2 keys match').waitFor();
  await kind.selectOption({ label: 'Kind: callers of corp' });
  await page.getByText('1 key matches').waitFor();
  expect(page.url()).toContain('token=corp');
  await rows().getByText('corp:app-1').first().waitFor();
  await kind.selectOption({ label: 'Kind: callers of lab' });
  await page.getByText('The issuer lab has no callers yet. Its tokens do not create callers').waitFor();
  expect(await open.findings()).toEqual([]);
  await kind.selectOption('secret');
  await page.getByText('1 key matches').waitFor();
  await kind.selectOption('');
  await page.getByText('3 keys').waitFor();
});

test('a caller can be added with the claim, the value and the plan', async () => {
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credential').selectOption('token');
  await dialog.getByText('Enter the value of the claim.').waitFor();
  await dialog.getByLabel('Issuer').selectOption('lab');
  await dialog.getByLabel('Claim', { exact: true }).selectOption('sub');
  await dialog.getByLabel('Value').fill('with a space at its end ');
  await dialog.getByText('Use printable ASCII characters, without a space at either end.').waitFor();
  await dialog.getByLabel('Value').fill('robot-7');
  await dialog.getByText('Default: lab:robot-7.').waitFor();
  await dialog.getByLabel('Plan').selectOption('pro');
  await dialog.getByText('Do this from a terminal').click();
  await dialog.getByText('tollgate keys create --token lab --caller robot-7 --claim sub --plan pro').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add the caller' }).click();
  await page.getByText('Created: robot-7').waitFor();
  await page.getByRole('link', { name: 'Open the key' }).click();
  await page.getByRole('heading', { name: 'robot-7' }).waitFor();
  const facts = page.locator('main dl');
  for (const text of ['lab:robot-7', 'sub', 'Pro']) await facts.getByText(text, { exact: true }).waitFor();
});

test('a caller has no button to rotate it', async () => {
  await open.show(`/keys/${await findId('app-1')}`);
  await page.getByRole('button', { name: 'Ban…' }).waitFor();
  expect(await page.getByRole('button', { name: 'Rotate…' }).count()).toBe(0);
  await open.show(`/keys/${await findId('app-1')}?do=rotate`);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test.each([
  ['all callers', () => '/keys?kind=token'],
  ['the callers of an issuer', () => `/keys?token=${LONG_ISSUER}`],
  ['an unknown issuer', () => '/keys?token=nobody'],
  ['a caller', async () => `/keys/${await findId(LONG_VALUE)}`],
  ['the dialog that forgets it', async () => `/keys/${await findId(LONG_VALUE)}?do=forget`],
  ['the owner of a caller', () => `/owners/${LONG_ISSUER}%3A${LONG_VALUE}`],
  ['the issuers', () => '/system'],
])('%s: the screen has no accessibility problems, and is not wider than a phone', async (_, address) => {
  await open.show(await address());
  expect(await findVisualProblems(open)).toEqual([]);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
    expect([width, await findOverlaps(open)]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the system screen shows what was found in the first tokens of an issuer', async () => {
  await open.show('/system');
  const corp = page.getByRole('region', { name: 'Access tokens of corp' });
  await corp.getByText('Keys: ready').waitFor();
  await corp.getByText('1 key (ES256), fetched').waitFor();
  await corp.getByRole('row', { name: 'Valid 1 1', exact: true }).waitFor();
  await corp.getByRole('row', { name: 'Not valid 1 1' }).waitFor();
  await corp.getByRole('row', { name: 'The token is not for this API (aud) 1' }).waitFor();
  await corp.getByText('Its last hour is not complete yet.').waitFor();
  const lab = page.getByRole('region', { name: 'Access tokens of lab' });
  await lab.getByText('No token of this issuer has been received yet.').waitFor();
  await lab.getByText('Keys: unreachable').waitFor();
  await lab.getByText(/first failed .*\/lab\/\.well-known\/openid-configuration/).waitFor();
  await corp.getByRole('link', { name: '1', exact: true }).click();
  await page.getByText('1 key matches').waitFor();
  expect(page.url()).toContain('token=corp');
});

test('a caller can be forgotten after a warning, even if it was revoked', async () => {
  const id = await findId('robot-7');
  expect((await console.gateway.admin(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
  await open.show(`/keys/${id}`);
  await page.getByRole('button', { name: 'Forget…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('even though it was revoked').waitFor();
  await dialog.getByLabel('Reason').fill('asked for it');
  await dialog.getByRole('button', { name: 'Forget permanently' }).click();
  await page.getByText(`Forgotten: ${id}`).waitFor();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await until(async () => (await console.gateway.admin(`/v1/keys/${id}`)).status === 404);
  expect(await page.locator('main').getByText('robot-7').count()).toBe(0);
});

test('a viewer sees callers and issuers, but cannot forget a caller', async () => {
  const viewer = await console.open({ token: VIEWER_TOKEN, at: `/keys/${await findId('app-1')}?do=forget` });
  await viewer.page.getByRole('heading', { name: 'app-1' }).waitFor();
  expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  expect(await viewer.page.getByRole('button', { name: 'Forget…' }).count()).toBe(0);
  await viewer.show('/system');
  await viewer.page.getByRole('region', { name: 'Access tokens of corp' }).waitFor();
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});
