import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, VIEWER_TOKEN } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';
import { waitForCalls } from './support/test-data.ts';
import { chooseOwner } from './support/choose-owner.ts';

/**
 * An operator signs in, creates a key, sees that its quota is used up and the key banned, lifts the ban, edits a plan,
 * looks up callers and the reason of a refusal, and signs out.
 */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let secret = '';

beforeAll(async () => {
  ({ console, open, page } = await startOnePage(undefined, { at: '/keys' }));
});

afterAll(() => stopAndExpectNoErrors(console, open));

test('a sign-in link signs in once, and its token is removed from the URL', async () => {
  const response = await console.gateway.admin('/v1/session/link', { method: 'POST' });
  const { url } = (await response.json()) as { url: string };
  const first = await console.browser.newPage();
  await first.goto(url);
  await first.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(first.url()).not.toContain('token');
  const second = await console.browser.newPage();
  await second.goto(url);
  await second.getByText('This link was already used').waitFor();
  const storeUnavailable = { status: 503, code: 'store_unavailable', message: 'The records cannot be read.' };
  await second.route(/\/v1\/session$/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: storeUnavailable }) : route.continue(),
  );
  await second.goto('about:blank');
  await second.goto(url);
  await second.getByText('The link could not be used. The records cannot be read.').waitFor();
  await first.close();
  await second.close();
});

test('a wrong token is reported, and a correct one leads to the requested screen', async () => {
  const other = await console.open({ token: null, at: '/plans' });
  await other.page.getByLabel('Admin token').fill('not-a-token-of-this-gateway');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByText('This token is not valid here').waitFor();
  await other.page.getByLabel('Admin token').fill(console.gateway.adminToken);
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByRole('heading', { name: 'Plans' }).waitFor();
  await other.close();
});

test('a key can be created, and its secret is shown only once', async () => {
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  await page.getByLabel('Name').fill('Shop backend');
  await chooseOwner(page, 'acme');
  await page.getByRole('dialog').getByLabel('Plan').selectOption('free');
  await page.getByText('Do this from a terminal').click();
  await page.getByText("tollgate keys create --owner acme --name 'Shop backend' --plan free").waitFor();
  await page.getByRole('button', { name: 'Create the key' }).click();
  secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(/^tg_live_\w{38}$/);
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied it').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
});

test('an owner is suggested by id or name, and a new owner has to be chosen from the list', async () => {
  const dialog = page.getByRole('dialog');
  const owner = dialog.getByLabel('Owner', { exact: true });
  const options = page.getByRole('option');
  // The button cannot be found by its role, because the rest of the page is hidden from assistive technology while
  // owners are suggested.
  const submit = page.locator('button', { hasText: 'Create the key' });
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  await dialog.locator(':focus').waitFor();
  await dialog.getByLabel('Name').fill('Not created');
  await owner.fill('acm');
  await options.nth(1).waitFor();
  expect((await options.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'acme',
    'Create new owner “acm”',
  ]);
  expect(await open.findings()).toEqual([]);
  await dialog.getByText('Choose the owner from the list, or create a new one there.').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await owner.press('Enter');
  expect(await owner.inputValue()).toBe('acme');
  await dialog.getByText(/^Has \d+ active keys?\.$/).waitFor();
  await until(() => submit.isEnabled());

  await owner.fill('Müller & Söhne');
  await dialog.getByText('Use ASCII characters only').waitFor();
  await options.filter({ hasText: 'Create new owner “mueller-soehne”' }).click();
  expect(await owner.inputValue()).toBe('mueller-soehne');
  await dialog.getByText('A new owner. No key has it yet.').waitFor();
  await until(() => submit.isEnabled());
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('the page of a key shows its usage until the key is banned, and then the evidence for the ban', async () => {
  await page.getByRole('link', { name: 'Shop backend' }).click();
  for (let call = 0; call < 61; call++) await console.gateway.call('/pets', { key: secret });
  await page.getByText('The quota for this minute is used up').waitFor();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  for (let call = 0; call < 12; call++) {
    await console.gateway.call('/pets', { key: secret, headers: { 'X-Request-Id': 'a-call-too-many' } });
  }
  await page.getByText('calls get 403').waitFor();
  await page.getByText('10 calls without waiting for Retry-After').first().waitFor();
  await open.show('/bans?q=Shop+back');
  await page.getByRole('row', { name: /Shop backend.*acme.*10 calls without waiting for Retry-After/ }).waitFor();
  await open.show('/bans?q=nobody-like-this');
  await page.getByText('No matching bans').waitFor();
  await open.show('/overview');
  await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: '1 key banned' }).waitFor();
  await page.getByRole('region', { name: 'Active bans' }).getByRole('link', { name: 'Shop backend' }).click();
});

test('the page of a key lists its refusals, and each leads to its explanation', async () => {
  await open.show('/keys');
  await page.getByRole('link', { name: 'Shop backend' }).click();
  const refusals = page.getByRole('region', { name: 'Recent refusals' });
  await refusals.getByText('The limit for the minute').first().waitFor();
  await refusals
    .getByRole('link', { name: /GET \/pets/ })
    .last()
    .click();
  await page.getByRole('heading', { name: 'Explain a request' }).waitFor();
  await page.getByText('Details of the decision').first().click();
  await page.getByText('a call to listPets was refused with').first().waitFor();
  await page.goBack();
  await refusals.waitFor();
});

test('lifting a ban requires a reason and is confirmed', async () => {
  await page.getByRole('button', { name: 'Lift the ban…' }).click();
  const submit = page.getByRole('button', { name: 'Lift the ban', exact: true });
  expect(await submit.isDisabled()).toBe(true);
  await page.getByLabel('Reason').fill('they fixed their client ✓');
  await submit.click();
  await page.getByText('Ban lifted: Shop backend').waitFor();
  await page.getByText('they fixed their client ✓').first().waitFor();
});

test('disabling a key can be undone', async () => {
  await page.getByRole('button', { name: 'More actions for this key' }).click();
  await page.getByRole('menuitem', { name: 'Disable…' }).click();
  await page.getByLabel('Reason').fill('unpaid');
  await page.getByRole('button', { name: 'Disable the key' }).click();
  await page.getByText('Calls get 401 until the key is enabled').waitFor();
  expect((await console.gateway.call('/pets', { key: secret })).status).toBe(401);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Enabled again: Shop backend.').waitFor();
  await page.getByText('Calls get 401 until').waitFor({ state: 'detached' });
});

test('a plan can be edited after a preview of refused requests', async () => {
  await open.show('/plans/free');
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Requests per minute').fill('50');
  const preview = page.getByText(/^1 of \d+ keys? exceeded these limits$/);
  await preview.waitFor();
  // The period starts when this gateway started to count.
  const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  await page.getByText(`per day since ${today.format()}`).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Shop backend' }).waitFor();
  // The preview must be visible without scrolling, because operators would overlook it otherwise.
  const [seen, foot] = [await preview.boundingBox(), await page.getByRole('dialog').locator('footer').boundingBox()];
  expect((seen?.y ?? Infinity) + (seen?.height ?? 0)).toBeLessThan(foot?.y ?? 0);
  await page.getByLabel('Reason').fill('2027 prices');
  await page.getByRole('button', { name: 'Save the plan' }).click();
  await page.getByText('Plan saved: Free').waitFor();
  await page.getByText('50 requests a minute').waitFor();
});

test('the search leads to the explanation of a refused call, and a deprecated operation shows its callers', async () => {
  await console.gateway.call('/pets/1');
  await waitForCalls(console.gateway, 1, 'operation=getPet');
  await open.show('/overview');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('a-call-too-many');
  await page.getByRole('option', { name: /explain this request/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('article').first().waitFor();
  await open.show('/operations?state=deprecated');
  await page.getByRole('link', { name: 'GET /pets/{petId}' }).click();
  await page.getByText('Called by 1 key so far').waitFor();
  const owners = page.getByRole('region', { name: 'Owners who called it in the last 24 hours' });
  await owners.getByRole('row').nth(1).getByRole('link').click();
  await until(() => page.url().includes('/owners/'));
  await page.getByRole('region', { name: 'Operations' }).getByRole('link', { name: 'GET /pets/{petId}' }).waitFor();
});

test('a viewer has no buttons to make changes', async () => {
  const viewer = await console.open({ token: VIEWER_TOKEN, at: '/keys' });
  const keyId = await anyKeyId();
  const screens = ['/overview', '/operations', '/operations/getPet', '/requests', '/keys', `/keys/${keyId}`];
  for (const at of [...screens, '/owners', '/owners/acme', '/plans', '/plans/free', '/bans', '/audit', '/system']) {
    await viewer.show(at);
    const buttons = await viewer.page.locator('main').getByRole('button').allTextContents();
    // Viewers must see no button that makes a change. Such buttons end in an ellipsis, or begin with one of these
    // verbs.
    expect([at, buttons.filter((name) => /…$|^(?:create|edit|ban|disable|end|more) /i.test(name))]).toEqual([at, []]);
    expect(await viewer.page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
    expect(await viewer.page.getByRole('button', { name: /^More actions/ }).count()).toBe(0);
  }
  await viewer.show('/keys?do=create');
  await viewer.page.keyboard.press('n');
  expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});

async function anyKeyId(): Promise<string> {
  const response = await console.gateway.admin('/v1/keys');
  const { items } = (await response.json()) as { items: { id: string }[] };
  return items[0]?.id ?? '';
}

test('going back after signing out shows the sign-in page', async () => {
  await page.getByRole('button', { name: 'admin' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Admin token').waitFor();
  await page.goBack();
  await page.getByLabel('Admin token').waitFor();
});
