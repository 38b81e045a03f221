import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { waitForCalls } from './support/test-data.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** Screens keep old data in place while new data is loading, and show nothing that is not known yet. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let shared: Page;

beforeAll(async () => {
  ({ console, open, page: shared } = await startOnePage({ settings: { demo: false } }));
  const body = JSON.stringify({ name: 'Caller', owner: 'acme', plan: 'free' });
  const created = await console.gateway.admin('/v1/keys', { method: 'POST', body });
  const { id, key } = (await created.json()) as { id: string; key: string };
  await (await console.gateway.call('/pets', { key })).text();
  await waitForCalls(console.gateway, 1);
  const ban = { method: 'PUT', body: JSON.stringify({ seconds: 3600, reason: 'test' }) };
  await console.gateway.admin(`/v1/keys/${id}/ban`, ban);
});

afterAll(() => stopAndExpectNoErrors(console, open));

/**
 * Delays the responses to some requests of a page.
 *
 * @returns a function that lets the responses pass
 */
async function hold(held: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await held.route(new RegExp(`/v1/${path}(?:[?]|$)`), async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const measureTop = async (element: Locator) => (await element.boundingBox())?.y;

test('while another period is loaded, the charts stay in place, dimmed, and say which period they show', async () => {
  const fresh = await console.open({ at: '/overview?period=24h' });
  const { page } = fresh;
  const charts = page.locator('figure svg');
  await charts.nth(1).waitFor();
  const before = await measureTop(page.getByRole('heading', { name: 'Busiest keys' }));
  const release = await hold(page, 'usage');
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const old = page.locator('[aria-busy="true"]').filter({ has: page.locator('figure') });
  await old.waitFor();
  expect(await charts.count()).toBe(2);
  expect(await page.getByText('1 request in the last 24 hours:').count()).toBe(1);
  expect(await measureTop(page.getByRole('heading', { name: 'Busiest keys' }))).toBe(before);
  release();
  await old.waitFor({ state: 'detached' });
  await page.getByText('1 request today (UTC):').waitFor();
  expect(await measureTop(page.getByRole('heading', { name: 'Busiest keys' }))).toBe(before);
  await fresh.close();
});

test.each([1280, 1024, 390])('placeholders have the height of the data that replaces them at %i px', async (width) => {
  const fresh = await console.open({ at: '/plans', width });
  const releaseUsage = await hold(fresh.page, 'usage');
  const releaseBans = await hold(fresh.page, 'bans');
  await fresh.page.evaluate("location.hash = '/overview'");
  await fresh.page.getByRole('status', { name: 'Loading the traffic' }).waitFor();
  await fresh.page.getByText('Gateway healthy').waitFor();
  const heading = (name: string) => fresh.page.getByRole('heading', { name, exact: true });
  const before = [await measureTop(heading('Traffic')), await measureTop(heading('Busiest keys'))] as const;
  releaseBans();
  releaseUsage();
  await fresh.page.locator('figure svg').nth(1).waitFor();
  await fresh.page.getByRole('link', { name: '1 key banned' }).waitFor();
  expect(Math.abs((await measureTop(heading('Traffic')))! - before[0]!)).toBeLessThanOrEqual(2);
  expect(Math.abs((await measureTop(heading('Busiest keys')))! - before[1]!)).toBeLessThanOrEqual(4);
  await fresh.close();
});

test('the number of keys is not shown before it is known', async () => {
  const fresh = await console.open({ at: '/plans' });
  const release = await hold(fresh.page, 'keys');
  await fresh.page.evaluate("location.hash = '/keys'");
  await fresh.page.getByRole('status', { name: 'Loading the keys' }).waitFor();
  expect(await fresh.page.getByText(/\d+ keys?\b/).count()).toBe(0);
  release();
  await fresh.page.getByText('1 key · 1 banned').waitFor();
  await fresh.close();
});

test('a list that could not be refreshed shows an error and how old it is', async () => {
  const fresh = await console.open({ at: '/keys' });
  await fresh.page.getByText('Updated just now').waitFor();
  await fresh.page.route(/\/v1\/keys/, (route) => route.abort());
  await fresh.page.getByRole('button', { name: 'Refresh' }).click();
  await fresh.page.getByText(/^Could not refresh\. Updated /).waitFor();
  await fresh.close();
});

test.each([
  ['/keys?status=disabled', 'No key matches all of these filters.'],
  ['/portal?status=disabled', 'No account has this status.'],
  ['/events?type=webhook.disabled', 'No event was of this type in this time.'],
])('the list %s is empty with the words “%s”', async (at, words) => {
  await open.show(at);
  await shared.getByText(words).waitFor();
});

test('the backdrop of a dialog covers the scroll bar of the page', async () => {
  await open.show('/keys');
  const { width = 0, height = 0 } = shared.viewportSize() ?? {};
  const color = async (x: number) => {
    const png = await shared.screenshot({ clip: { x, y: height - 20, width: 2, height: 2 } });
    return png.toString('base64');
  };
  expect(await color(width - 4)).toBe(await color(width - 40));
  await shared.getByRole('button', { name: 'Create a key' }).click();
  await shared.getByRole('dialog').waitFor();
  await until(async () => (await color(width - 4)) === (await color(width - 40)));
  await shared.keyboard.press('Escape');
});
