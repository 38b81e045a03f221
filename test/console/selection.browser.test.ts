import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** A user selects rows, changes them, and undoes the change, with the keyboard alone. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

const KEYS = 40;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage({ settings: { demo: false } }));
  const keys = Array.from({ length: KEYS }, (_, index) => ({ name: `Till ${index}`, owner: 'acme', plan: 'free' }));
  await console.gateway.admin('/v1/keys/import', { method: 'POST', body: JSON.stringify({ keys }) });
});

afterAll(() => stopAndExpectNoErrors(console, open));

const bar = () => page.getByRole('region', { name: 'Actions for the selected keys' });
const focused = () =>
  page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');

/**
 * A script that runs in the page. Returns how far the focused element reaches below the upper edge of the bar, which is
 * negative if the bar does not cover it.
 */
const COVERED_PX = `document.activeElement.getBoundingClientRect().bottom -
  document.querySelector('[aria-label="Actions for the selected keys"]').getBoundingClientRect().top`;

/**
 * A script that runs in the page. Returns how far the column headers cover the focused element, which is negative if
 * they do not.
 */
const BELOW_HEAD_PX = `document.querySelector('main th').getBoundingClientRect().bottom -
  document.activeElement.getBoundingClientRect().top`;

/** A script that runs in the page. Returns true if the whole focused element is in view and not covered. */
const IS_SEEN = `(() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const points = [[left + 2, top + 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2]];
  return points.every(([x, y]) => document.activeElement.contains(document.elementFromPoint(x, y)));
})()`;

async function showKeys(): Promise<void> {
  await open.show('/keys?owner=acme');
  // After a reload, no element has the focus.
  await page.reload();
  await page.locator('main [data-row-link]').first().waitFor();
}

test.each([1280, 390])(
  'the bar for selected rows never covers the focused element at a width of %d px',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await showKeys();
    // Select the last row in view, so that the bar appears on top of it.
    for (let row = 0; row < 14; row += 1) await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bar().waitFor();
    expect(await page.evaluate(COVERED_PX)).toBeLessThan(0);
    for (let row = 14; row < KEYS - 1; row += 1) {
      // oxlint-disable no-await-in-loop -- one key after the other
      await page.keyboard.press('j');
      expect(await page.evaluate(COVERED_PX)).toBeLessThan(0);
    }
    for (let row = KEYS - 1; row > 0; row -= 1) {
      await page.keyboard.press('k');
      expect(await page.evaluate(BELOW_HEAD_PX)).toBeLessThan(0);
    }
    while (!(await focused()).includes(`Till 0`)) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(COVERED_PX)).toBeLessThan(0);
      // oxlint-enable no-await-in-loop
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
  },
);

test('b leads to the actions for the selected rows, and Escape clears the selection', async () => {
  await showKeys();
  await page.keyboard.type('jjx');
  await bar().getByText('1 key selected').waitFor();
  await page.keyboard.press('b');
  expect(await focused()).toBe('Ban…');
  await page.keyboard.press('Escape');
  await bar().waitFor({ state: 'detached' });
  expect(await focused()).toContain(`Till ${KEYS - 2}`);
  await page.keyboard.press('x');
  await bar().getByRole('button', { name: 'Clear selection' }).focus();
  await page.keyboard.press('Enter');
  await bar().waitFor({ state: 'detached' });
  expect(await focused()).toContain(`Till ${KEYS - 2}`);
});

test.each([1280, 390])(
  'the rows do not scroll while the bar for selected rows is used at a width of %d px',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await showKeys();
    for (const key of 'jjxjjjjjjxj') {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press(key);
    }
    const scrolled = () => page.evaluate<number>('scrollY');
    const before = await scrolled();
    await page.keyboard.press('b');
    for (const label of ['Ban…', 'Disable…', 'Move to a plan…', 'More actions for the selected keys']) {
      // oxlint-disable no-await-in-loop -- one step after the other
      expect([await focused(), await scrolled()]).toEqual([label, before]);
      await page.keyboard.press('Tab');
      // oxlint-enable no-await-in-loop
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    for (const label of ['Enable…', 'Lift the bans…', 'Export CSV', 'Revoke…']) {
      // oxlint-disable no-await-in-loop -- one step after the other
      expect([await focused(), await scrolled()]).toEqual([label, before]);
      expect(await page.evaluate(IS_SEEN)).toBe(true);
      await page.keyboard.press('ArrowDown');
      // oxlint-enable no-await-in-loop
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    expect(await focused()).toContain(`Till ${KEYS - 9}`);
    await page.setViewportSize({ width: 1280, height: 800 });
  },
);

test('the selected keys are named before they are changed, and z undoes the change', async () => {
  await showKeys();
  await page.keyboard.type('jxjx');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`The keys: Till ${KEYS - 1}, Till ${KEYS - 2}`).waitFor();
  await dialog.getByLabel('Reason').fill('too many calls');
  await page.keyboard.press('Enter');
  await page.getByText('Banned: 2 keys').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await page.getByText('Bans lifted').waitFor();
  // The message covers neither the actions nor their menu.
  await page.keyboard.press('b');
  for (let step = 0; step < 3; step += 1) {
    // oxlint-disable no-await-in-loop -- one step after the other
    expect(await page.evaluate(IS_SEEN)).toBe(true);
    await page.keyboard.press('Tab');
    // oxlint-enable no-await-in-loop
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('Revoke…');
  expect(await page.evaluate(IS_SEEN)).toBe(true);
  await page.getByText('Bans lifted').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

test('a message stays as long as it has the focus, and then returns the focus', async () => {
  await page.clock.install();
  await showKeys();
  await page.keyboard.type('jx');
  await page.keyboard.press('b');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 key, not used today (UTC). The key: Till').waitFor();
  await dialog.getByLabel('Reason').fill('to be enabled again');
  await page.keyboard.press('Enter');
  await page.getByText('Disabled: 1 key').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('button:focus').getByText('Disable…').waitFor();

  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.clock.fastForward(300_000);
  expect(await focused()).toBe('Undo');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Dismiss');
  await page.keyboard.press('Enter');
  await page.getByText('Disabled: 1 key').waitFor({ state: 'detached' });
  await page.locator('button:focus').getByText('Disable…').waitFor();
  await page.keyboard.press('Escape');
});

test('the content has the focus after a row was opened', async () => {
  await showKeys();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('This minute').waitFor();
  await page.locator('main:focus').waitFor();
});

test('the list of shortcuts opens at its first line', async () => {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Search, or run a command').waitFor();
  await dialog.locator('[data-first]:focus').waitFor();
  const top = await dialog.getByText('Search, or run a command').evaluate((one) => one.getBoundingClientRect().top);
  expect(top).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the content has the focus after a link of the navigation', async () => {
  await page.getByRole('navigation').getByRole('link', { name: 'Plans' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
  await page.locator('main:focus').waitFor();
});
