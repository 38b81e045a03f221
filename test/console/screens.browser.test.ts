import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { measureScripts } from '../support/browser/script-bytes.ts';
import { findOverlaps, findVisualProblems } from '../support/browser/visual-checks.ts';
import { root } from '../support/gateway/gateway.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';
import { type TestData, createTestData } from './support/test-data.ts';

/**
 * No screen violates the content security policy, has axe findings, or scrolls horizontally on the narrowest phone. The
 * names on the screens contain markup, and each screen is checked in light and dark.
 */
let console: ConsoleUnderTest;
let data: TestData;
let open: BrowserPage;

beforeAll(async () => {
  console = await startConsole();
  data = await createTestData(console.gateway);
  open = await console.open();
});

afterAll(() => console.stop());

const SCREENS: readonly (readonly [string, () => string])[] = [
  ['overview', () => '/overview?period=1h'],
  ['operations', () => '/operations'],
  ['an operation', () => '/operations/getPet'],
  ['explain', () => '/requests'],
  ['an explained request', () => `/requests?id=${data.requestId}`],
  ['a request without a record', () => '/requests?id=of-no-request'],
  ['keys', () => '/keys'],
  ['no matching keys', () => '/keys?q=nothing-like-this'],
  ['a key', () => `/keys/${data.hostileId}`],
  ['a banned key', () => `/keys/${data.bannedId}`],
  ['an unknown key', () => '/keys/key_of_nobody'],
  ['owners', () => '/owners'],
  ['an owner', () => '/owners/acme'],
  ['plans', () => '/plans'],
  ['a plan', () => '/plans/free'],
  ['bans', () => '/bans'],
  ['webhooks', () => '/webhooks'],
  ['no matching webhooks', () => '/webhooks?account=none&status=disabled'],
  ['a webhook', () => `/webhooks/${data.webhookId}`],
  ['a delivery', () => `/webhooks/${data.webhookId}?delivery=${data.deliveryId}`],
  ['an unknown webhook', () => '/webhooks/whk_of_nobody'],
  ['events', () => '/events'],
  ['an event', () => `/events?event=${data.eventId}`],
  ['no matching events', () => '/events?subject=nothing-like-this'],
  ['audit', () => '/audit'],
  ['system', () => '/system'],
  ['an unknown screen', () => '/nowhere'],
];

test.each(['/overview', '/keys', '/audit', '/webhooks'])(
  'the screen %s needs at most 160 kB of JavaScript when it is opened first',
  async (at) => {
    const bytes = await measureScripts(open, `${console.gateway.adminUrl}/console/#${at}`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(160_000);
  },
);

test('the system screen shows the version of the package', async () => {
  await open.show('/system');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  await open.page.locator('dl', { hasText: 'Version' }).getByText(version, { exact: true }).first().waitFor();
});

test("the system screen links to the licenses of the console's packages", async () => {
  const { page } = open;
  await open.show('/system');
  await page.getByRole('link', { name: 'Open-source licenses' }).click();
  await page.waitForURL(`${console.gateway.adminUrl}/console/licenses.txt`);
  const text = await page.innerText('body');
  expect(text).toMatch(/^The pages of Tollgate's console .* react 19.*SIL OPEN FONT LICENSE/s);
  await page.goBack();
});

/** The minimum width of the first column. In a narrower one, words break after a few letters. */
const MIN_FIRST_COLUMN_PX = 90;

test.each(SCREENS)('%s: the screen has no errors, and is readable at every width', async (_, address) => {
  const { page } = open;
  await open.show(address());
  expect(await open.pageErrors()).toEqual([]);
  expect(await findVisualProblems(open)).toEqual([]);
  expect(await page.title()).not.toBe('pwned');
  for (const width of [390, 600, 800, 1024, 1152, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
    expect([width, await findOverlaps(open)]).toEqual([width, []]);
    const first = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main table')].filter(({ offsetWidth }) => offsetWidth > 0)
        .map((table) => [...table.querySelectorAll('th')].find((head) => !head.querySelector('input')).offsetWidth)`,
    );
    expect([width, first.filter((px) => px < MIN_FIRST_COLUMN_PX)]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});
