import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/** The console can be used with the keyboard alone. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
const OWNER = 'palette owner';

/** A script that runs in the page. Returns true if the selected option is in view. */
const IS_IN_VIEW = `(() => {
  const option = document.querySelector('[role="option"][aria-selected="true"]');
  const [{ top, bottom }, list] = [option.getBoundingClientRect(), option.parentElement.getBoundingClientRect()];
  return top >= list.top - 1 && bottom <= list.bottom + 1;
})()`;

beforeAll(async () => {
  console = await startConsole();
  for (const name of ['one', 'two']) {
    const body = JSON.stringify({ name, owner: OWNER, plan: 'free' });
    await console.gateway.admin('/v1/keys', { method: 'POST', body });
  }
  open = await console.open({ token: null, at: '/overview' });
  ({ page } = open);
});

afterAll(() => console.stop());

test('the field for the token has the focus on the sign-in page', async () => {
  await page.getByLabel('Admin token').waitFor();
  await page.keyboard.type(console.gateway.adminToken);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('two-key shortcuts open a screen, and j and Enter open a row', async () => {
  await page.keyboard.type('gk');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('This minute').waitFor();
});

test('a key can be banned from the keyboard, and the focus returns to the button of a closed dialog', async () => {
  const button = page.getByRole('button', { name: 'Ban…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect(focused()).resolves.toBe('Ban…');
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('by keys alone');
  await page.keyboard.press('Enter');
  await page.getByText('calls get 403').waitFor();
  // Wait until the dialog is closed, because single-key shortcuts are off while it is open.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('arrow keys select a result of the search, and Enter opens it', async () => {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('plans');
  await page.getByRole('option', { name: /Plans/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
});

test('the content has the focus after the search was opened while nothing had it', async () => {
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('/');
  await page.keyboard.type('a-request-id');
  await page.getByRole('option', { name: /explain this request/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Explain a request' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  await page.evaluate("location.hash = '/plans'");
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
});

test('Ctrl+K opens and closes the search, even from a field, and causes no requests for keys or owners', async () => {
  await page.evaluate("location.hash = '/keys'");
  await page.getByLabel('Search the keys').focus();
  const reads: string[] = [];
  page.on('request', (request) => void reads.push(new URL(request.url()).pathname));
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search keys, owners' });
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('main input:focus').waitFor();
  expect(reads.filter((path) => path.endsWith('/keys') || path.endsWith('/owners'))).toEqual([]);
});

test('the search lists owners before their keys, and the selected result is always in view', async () => {
  await page.keyboard.press('Control+k');
  const options = page.getByRole('option');
  const active = page.locator('[role="option"][aria-selected="true"]');
  for (let step = 0; step < 16; step += 1) await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
  expect(await page.evaluate(IS_IN_VIEW)).toBe(true);
  await page.getByRole('combobox').fill(OWNER);
  await page.getByRole('option', { name: /^Key/ }).first().waitFor();
  expect(await options.first().innerText()).toMatch(new RegExp(`^Owner\\s+${OWNER}`));
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: OWNER }).waitFor();
});

test('Enter in the search waits for the results of the entered text', async () => {
  const isWanted = Promise.withResolvers<void>();
  await page.route('**/v1/owners?*', async (route) => {
    await isWanted.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(OWNER.slice(0, -1));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Searching…').waitFor();
  await page.getByRole('option', { name: /^Key/ }).first().waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  isWanted.resolve();
  await page.waitForURL(`**/owners/${encodeURIComponent(OWNER)}*`);
  await page.unroute('**/v1/owners?*');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('an exact match with an id, title or path is the first result of the search', async () => {
  for (const name of ['free', 'free and easy']) {
    const body = JSON.stringify({ name, owner: 'free spirits of /pets', plan: 'free' });
    // oxlint-disable-next-line no-await-in-loop -- the key with exactly this name is created first, so that it comes
    // later in the list
    await console.gateway.admin('/v1/keys', { method: 'POST', body });
  }
  await page.keyboard.press('Control+k');
  const options = page.getByRole('option');
  await page.getByRole('combobox').fill('free');
  await page.getByRole('option', { name: /^Key free and easy/ }).waitFor();
  const kinds = (await options.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(kinds.slice(0, 2)).toEqual([expect.stringMatching(/^Key free /), expect.stringMatching(/^Plan Free /)]);
  await page.getByRole('combobox').fill('/pets');
  await page.getByRole('option', { name: /^Owner/ }).waitFor();
  expect(await options.first().innerText()).toMatch(/^Operation\s+GET \/pets\s/);
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a ban can be lifted from the search by keyboard', async () => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lift');
  await page.getByRole('option', { name: 'Lift a ban…' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('option', { name: /Lift .*…/ })
    .and(page.locator('[aria-selected="true"]'))
    .filter({ hasNotText: 'a ban' })
    .waitFor();
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^Lift the ban on/ }).waitFor();
  await page.getByLabel('Reason').fill('found by the search');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Ban lifted' }).waitFor();
  expect(page.url()).not.toContain('do=');
});

test.each([
  ['create key', 'Create a key'],
  ['new plan', 'Create a plan'],
  ['new webhook', 'Create a webhook'],
  ['new account', 'Create an account'],
  ['reload', 'Reload the configuration'],
])('the search for “%s” finds an action that opens its dialog', async (words, dialog) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
  await page.getByRole('option', { name: `${dialog}…` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: dialog }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a reload from the search shows its result', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('reload');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reload the configuration' }).click();
  await page.getByText('Reloaded. No setting has changed.').waitFor();
});

test('? lists the shortcuts, and single-key shortcuts can be turned off', async () => {
  await page.keyboard.press('?');
  await page.getByText('Search, or run a command').waitFor();
  const choice = page.getByLabel('Enable single-key shortcuts');
  await choice.uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the skip link leads to the content after two key presses', async () => {
  await page.evaluate("location.hash = '/plans'");
  await page.reload();
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
  await page.keyboard.press('Tab');
  await expect(focused()).resolves.toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await expect(page.evaluate('document.activeElement.tagName')).resolves.toBe('MAIN');
});

function focused(): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent');
}
