import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { type BrowserPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';
import { stopAndExpectNoErrors } from './support/one-page.ts';
import { createTestData } from './support/test-data.ts';
import { chooseOwner } from './support/choose-owner.ts';

/**
 * Every screen is checked while it loads, while requests fail, and after the recovery. No screen is blank, old data is
 * marked, and screens recover once the gateway responds. The tests advance the browser's clock instead of waiting.
 */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let bannedId = '';
let webhookId = '';

beforeAll(async () => {
  console = await startConsole();
  ({ bannedId, webhookId } = await createTestData(console.gateway));
  open = await console.open();
  ({ page } = open);
  await page.clock.install();
});

afterAll(() => stopAndExpectNoErrors(console, open));

// The routes are removed after a failed test, too, so that the next test does not fail as well.
afterEach(() => page.unrouteAll());

const READS = /\/v1\/(?!session\b)/;
const READ_FAILURE = /^Could not load/;
const UNAVAILABLE = { status: 503, code: 'store_unavailable', message: 'The records cannot be read.' };

const SCREENS: readonly (readonly [string, () => string])[] = [
  ['overview', () => '/overview?period=1h'],
  ['operations', () => '/operations'],
  ['an operation', () => '/operations/getPet'],
  ['an explained request', () => '/requests?id=refused-request'],
  ['keys', () => '/keys'],
  ['a key', () => `/keys/${bannedId}`],
  ['owners', () => '/owners'],
  ['an owner', () => '/owners/acme'],
  ['plans', () => '/plans'],
  ['a plan', () => '/plans/free'],
  ['bans', () => '/bans'],
  ['events', () => '/events'],
  ['webhooks', () => '/webhooks'],
  ['a webhook', () => `/webhooks/${webhookId}`],
  ['audit', () => '/audit'],
  ['system', () => '/system'],
];

test.each(SCREENS)(
  '%s: the screen shows loading, a failure, recovery, and that its data is out of date',
  async (_, address) => {
    const response = Promise.withResolvers<void>();
    await page.route(READS, async (route) => {
      await response.promise;
      await route.fulfill({ status: 503, json: UNAVAILABLE });
    });
    await openFresh(address());
    await page.getByRole('status', { name: /^L/ }).first().waitFor();
    response.resolve();
    const failure = page.getByRole('heading', { name: READ_FAILURE });
    await advanceClockUntil(() => failure.first().isVisible());
    expect(await open.findings()).toEqual([]);
    expect(await open.overflow()).toBeLessThanOrEqual(0);

    await page.unrouteAll();
    await advanceClockUntil(async () => {
      const again = page.getByRole('button', { name: 'Try again' }).first();
      // The button disappears as soon as data is loaded. On a screen that polls, that may happen before the click.
      if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined);
      return (await failure.count()) === 0;
    });

    await waitUntilSettled(page);
    // A new minute is a new period, for which there is no cached data. Start early in a minute, so that it does not end
    // during the test.
    await page.clock.fastForward(60_000 - ((await page.evaluate<number>('Date.now()')) % 60_000));
    await waitUntilSettled(page);
    await page.route(READS, (route) => route.abort('connectionrefused'));
    const notice = page.getByText('This page may be out of date.');
    await advanceClockUntil(async () => {
      // Returning to the window refreshes the data that is not polled.
      await page.evaluate(
        "dispatchEvent(new Event('visibilitychange')); document.dispatchEvent(new Event('visibilitychange'))",
      );
      return notice.isVisible();
    });
    expect(await failure.count()).toBe(0);
    // The notice is the same on every screen, so check it on one.
    if (address() === '/plans') expect(await open.findings()).toEqual([]);
    await page.unrouteAll();
    // Polling may already have refreshed the data and removed the button.
    await page
      .getByRole('button', { name: 'Reload data' })
      .click({ timeout: 5000 })
      .catch(() => undefined);
    await advanceClockUntil(async () => (await notice.count()) === 0);
  },
);

test('counts that are missing or could not be loaded are not shown as 0', async () => {
  const response = Promise.withResolvers<void>();
  await page.route(/\/v1\/usage/, async (route) => {
    await response.promise;
    await route.fulfill({ status: 503, json: UNAVAILABLE });
  });
  const head = page.locator('main');
  await openFresh('/overview');
  await page.getByRole('status', { name: 'Loading the traffic' }).waitFor();
  expect(await head.innerText()).not.toContain('No requests in');

  await openFresh('/operations');
  const requests = page.getByRole('row', { name: 'GET /categories' }).getByRole('cell').nth(5);
  await requests.waitFor();
  expect(await requests.innerText()).toBe('–');
  expect(await head.innerText()).toMatch(/operations, 1 deprecated\n/);
  response.resolve();
  await advanceClockUntil(() => page.getByRole('heading', { name: 'Could not load the usage' }).isVisible());
  expect(await requests.innerText()).toBe('–');
  expect(await open.findings()).toEqual([]);
});

test('a change is submitted only once, and its secret stays visible while other requests are pending', async () => {
  await openFresh('/keys');
  await waitUntilSettled(page);
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  await page.getByLabel('Name').fill('Made once');
  await chooseOwner(page, 'acme');
  const submit = page.getByRole('button', { name: 'Create the key' });
  // The button is enabled once the dialog has looked up the plan of the owner.
  await until(() => submit.isEnabled());
  const response = Promise.withResolvers<void>();
  await page.route(READS, async (route) => {
    if (route.request().method() === 'GET') await response.promise;
    await route.continue();
  });
  await submit.click();
  await page.keyboard.press('Enter');
  await advanceClockUntil(() => page.getByText('This is shown only once.').isVisible());
  response.resolve();
  const made = await console.gateway.admin('/v1/keys?q=Made+once');
  expect(((await made.json()) as { items: unknown[] }).items).toHaveLength(1);
});

describe('without data,', () => {
  let empty: ConsoleUnderTest;
  let fresh: BrowserPage;

  beforeAll(async () => {
    empty = await startConsole({ settings: { demo: false } });
    fresh = await empty.open();
  });

  afterAll(() => empty.stop());

  test.each([
    ['/overview', 'No requests in the last'],
    ['/operations?q=nothing-like-this', 'No matching operations'],
    ['/operations/getPet', 'No calls with a key yet'],
    ['/requests', 'No refusals'],
    ['/keys', 'No keys yet'],
    ['/owners', 'No owners yet'],
    ['/owners/nobody', 'This owner does not exist'],
    ['/plans/free', 'No requests with keys on this plan.'],
    ['/bans', 'No bans'],
    ['/events', 'No events yet'],
    ['/events?subject=nothing', 'No matching events'],
    ['/webhooks', 'No webhooks yet'],
    ['/webhooks?status=disabled', 'No matching webhooks'],
    ['/audit?subject=nothing', 'No matching changes'],
    ['/audit?subject=nothing', 'Clear filters'],
  ])('the screen %s says “%s”', async (address, words) => {
    await fresh.show(address);
    await fresh.page.getByText(words).first().waitFor();
    expect(await fresh.findings()).toEqual([]);
    expect(await fresh.overflow()).toBeLessThanOrEqual(0);
  });
});

test('the console says that the gateway is down when it is opened, and recovers', async () => {
  await page.route(/\/v1\//, (route) => route.abort('connectionrefused'));
  await page.reload();
  const failure = page.getByRole('heading', { name: 'The gateway did not respond' });
  await advanceClockUntil(() => failure.isVisible());
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('main h1').waitFor();
});

test('the console stays usable if a screen cannot be loaded because the gateway is down', async () => {
  // Block the file before the sign-in, because the page loads all screens in the background two seconds after it.
  const fresh = await console.open({ token: null });
  try {
    await fresh.page.route(/\/assets\/plans-screen/, (route) => route.abort('connectionrefused'));
    await fresh.page.getByLabel('Admin token').fill(console.gateway.adminToken);
    await fresh.page.getByRole('button', { name: 'Sign in' }).click();
    await fresh.page.getByRole('link', { name: 'Plans' }).click();
    await fresh.page.getByRole('heading', { name: 'This screen could not be loaded' }).waitFor();
    await fresh.page.getByRole('link', { name: 'Overview' }).waitFor();
    expect(await fresh.findings()).toEqual([]);
    await fresh.page.unrouteAll();
    await fresh.page.getByRole('button', { name: 'Try again' }).click();
    await fresh.page.getByRole('heading', { name: 'Plans' }).waitFor();
  } finally {
    await fresh.close();
  }
});

test('screens and dialogs are preloaded, in case the gateway stops', async () => {
  const fresh = await console.open();
  try {
    const loaded = (part: string) =>
      fresh.page.evaluate<boolean>(
        `performance.getEntriesByType('resource').some(({ name }) => name.includes('/${part}'))`,
      );
    await until(async () => (await loaded('plans-screen')) && (await loaded('create-key-dialog')));
  } finally {
    await fresh.close();
  }
});

/** Opens a screen without cached data. */
async function openFresh(address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.reload();
  await page.locator('main h1').waitFor();
}

async function advanceClockUntil(holds: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    await page.clock.fastForward(5000);
    return false;
  });
}
