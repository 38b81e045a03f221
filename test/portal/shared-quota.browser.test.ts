import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/** Creating more keys neither raises the quota nor evades a ban, and the portal says so. */
let portal: PortalUnderTest;
let accountId: string;
let open: BrowserPage;
let page: Page;
const secrets: string[] = [];

beforeAll(async () => {
  portal = await startPortalPages();
  accountId = await portal.account('acme');
  open = await portal.openAs(accountId);
  ({ page } = open);
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  expect(faults).toEqual([]);
});

async function submitNewKey(name: string): Promise<void> {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create the key' }).click();
}

async function createKey(name: string): Promise<string> {
  await submitNewKey(name);
  const secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  return secret;
}

test('five keys share one quota, and the overview shows what is left of it', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) secrets.push(await createKey(name));
  const left = [];
  for (const key of secrets)
    left.push((await portal.gateway.call('/pets', { key })).headers.get('x-ratelimit-remaining'));
  expect(left).toEqual(['59', '58', '57', '56', '55']);
  await open.show('/overview');
  await page.getByText('You have 55 requests left this minute').waitFor();
});

test('a sixth key is refused, and the message says to revoke one', async () => {
  await submitNewKey('Six');
  await page.getByRole('alert').getByText('You have reached the maximum number of keys. Revoke one').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a ban is explained, a new key is banned as well, and the selected key is kept', async () => {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Actions for Five' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByRole('button', { name: 'Revoke permanently' }).click();
  const { items } = await portal.admin('GET', '/v1/keys?owner=acme&status=active');
  await portal.admin('PUT', `/v1/keys/${items[0].id}/ban`, {
    seconds: 600,
    reason: 'scraping',
    message: 'Use the export.',
  });
  const fresh = await createKey('Fresh');
  expect((await portal.gateway.call('/pets', { key: fresh })).status).toBe(403);
  await open.show('/overview');
  await page.getByText('The team behind this API banned your keys. Their message: “Use the export.”').waitFor();
  await page.getByText('You are banned: your calls are refused.').waitFor();
  expect(await open.findings()).toEqual([]);
  await open.show('/reference/listPets');
  await page.getByLabel('Key').selectOption(`Fresh (…${fresh.slice(-4)})`);
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText('"code": "key_banned"').waitFor();
  // Select a key other than the first, to see that the selection is remembered.
  await page.getByLabel('Key').selectOption({ index: 1 });
  const selected = await page.getByLabel('Key').inputValue();
  await page.reload();
  // The keys are loaded after the operation.
  await until(async () => (await page.getByLabel('Key').inputValue()) === selected);
});

test('several quotas are listed with the fullest first, and the usage page shows the selected one', async () => {
  await portal.admin('POST', '/v1/keys', { name: 'Agreed', owner: 'acme', plan: 'pro' });
  await open.show('/plans');
  await page.reload();
  await open.show('/overview');
  const rows = page.getByRole('table', { name: 'Your quotas, fullest first' }).locator('tbody tr');
  await rows.filter({ hasText: 'Agreed' }).waitFor();
  expect(await rows.locator('[data-row-link]').allTextContents()).toEqual(['5 keys', 'Agreed']);
  expect(await rows.first().getByRole('meter', { name: 'Used today' }).getAttribute('aria-valuetext')).toMatch(/ of /);
  await rows.getByRole('link', { name: 'Agreed' }).click();
  await page.getByRole('heading', { name: 'Quota today (UTC)' }).waitFor();
  await page.getByText(/^Agreed: 0 of .* units used/).waitFor();
  expect(await rows.locator('[aria-current]').textContent()).toBe('Agreed');
  expect(await open.findings()).toEqual([]);
  await rows.getByRole('link', { name: '5 keys' }).click();
  await page.getByText(/^5 keys: [1-9].* units used/).waitFor();
});

test('quotas are named after their keys, even after a rotation, and the plans say which keys a request leaves out', async () => {
  const account = await portal.account('with-other-keys');
  const key = async (name: string) =>
    (await portal.admin('POST', '/v1/keys', { name, owner: 'with-other-keys', plan: 'free' })) as {
      id: string;
      key: string;
    };
  const [production, report] = [await key('Production'), await key('Report')];
  await portal.admin('POST', `/v1/keys/${production.id}/rotate`, { graceSeconds: 3600 });
  for (const each of [production, report])
    expect((await portal.gateway.call('/pets', { key: each.key })).status).toBe(200);
  const other = await portal.openAs(account);
  const said = other.page.locator('main');
  await said.getByText(/^You have 59 requests left .* on the Free plan, for (Production|Report)\.$/).waitFor();
  const names = said.getByRole('table', { name: 'Your quotas, fullest first' }).locator('[data-row-link]');
  await names.first().waitFor();
  expect((await names.allTextContents()).toSorted()).toEqual(['Keys that you create here', 'Production', 'Report']);
  expect((await names.allTextContents()).at(-1)).toBe('Keys that you create here');
  await other.show('/plans');
  await said
    .getByText(/This does not include (Production, Report|Report, Production): the team set their limits\.$/)
    .waitFor();
  await said.getByRole('button', { name: 'Request Pro…' }).click();
  await other.page.getByRole('dialog').getByText('not to').waitFor();
  await other.page.keyboard.press('Escape');
  expect(await other.pageErrors()).toEqual([]);
  await other.close();
});

test('if one of several keys is banned, the portal names it, and does not say that all calls are refused', async () => {
  const account = await portal.account('five-keys');
  const names = ['Production', 'Report', 'Search', 'Sync', 'Tests'];
  const keys = [];
  for (const name of names) {
    const body = { name, owner: 'five-keys', plan: 'free' };
    keys.push((await portal.admin('POST', '/v1/keys', body)) as { id: string });
  }
  await portal.admin('PUT', `/v1/keys/${keys[1]!.id}/ban`, { seconds: 600, reason: 'scraping' });
  const other = await portal.openAs(account);
  const said = other.page.locator('main');
  await said.getByText('Calls with your key Report are refused: it is banned.').waitFor();
  await said.getByText(/^Requests with your key Report are refused until /).waitFor();
  await said.getByText('The team behind this API banned this key').waitFor();
  await other.show('/requests');
  await said.getByText(/^Calls with your key Report are refused until /).waitFor();
  expect(await said.innerText()).not.toMatch(/your calls are|your keys/i);

  await portal.admin('PUT', `/v1/keys/${keys[3]!.id}/ban`, { seconds: 600, reason: 'scraping' });
  await other.show('/overview');
  await other.page.reload();
  await said.getByText('Calls with 2 of your keys are refused: they are banned.').waitFor();
  await portal.admin('DELETE', `/v1/keys/${keys[3]!.id}/ban`, { reason: 'test' });
  await other.show('/requests');
  await other.page.reload();
  await said.getByText(/^Calls with your key Sync were refused from /).waitFor();
  expect(await other.pageErrors()).toEqual([]);
  await other.close();
});
