import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/** No mouse: everything is reached and done by keys, and where the focus is can be told. */
let console: ConsoleUnderTest;
let page: Page;

beforeAll(async () => {
  console = await startConsole();
  ({ page } = await console.open({ token: null, at: '/overview' }));
}, 60_000);

afterAll(() => console.stop());

test('signing in: the field is focused', async () => {
  await page.getByLabel('Admin token').waitFor();
  await page.keyboard.type(console.gateway.adminToken);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('two keys open a screen, j and Enter open a row', async () => {
  await page.keyboard.type('gk');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('This minute').waitFor();
});

test('an action is opened, filled in and sent from the keyboard, and the focus returns to its button', async () => {
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
  // Single keys do nothing while it is open.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('search: arrow keys select, Enter opens, Escape closes', async () => {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('plans');
  await page.getByRole('option', { name: /Plans/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
});

test('after a search that no element had opened, the focus is on the content', async () => {
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

test('? lists the shortcuts, and single-key ones can be turned off', async () => {
  await page.keyboard.press('?');
  const choice = page.getByLabel('Enable single-key shortcuts');
  await choice.uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the content is two key presses from the top', async () => {
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
