import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { overlaps } from '../support/browser/looks.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';
import { type Scene, setScene } from './support/scene.ts';

/**
 * Every screen, in light and dark, with text that tries to be markup: nothing breaks the content security policy, axe
 * finds nothing, and nothing scrolls sideways on the narrowest phone.
 */
let console: ConsoleUnderTest;
let scene: Scene;
const pages: Record<'light' | 'dark', BrowserPage | undefined> = { light: undefined, dark: undefined };

beforeAll(async () => {
  console = await startConsole();
  scene = await setScene(console.gateway);
  pages.light = await console.open();
  pages.dark = await console.open({ dark: true });
}, 60_000);

afterAll(() => console.stop());

const SCREENS: readonly (readonly [string, () => string])[] = [
  ['overview', () => '/overview?period=1h'],
  ['operations', () => '/operations'],
  ['an operation', () => '/operations/getPet'],
  ['explain', () => '/requests'],
  ['an explained request', () => `/requests?id=${scene.requestId}`],
  ['a request without a record', () => '/requests?id=of-no-request'],
  ['keys', () => '/keys'],
  ['keys that nothing matches', () => '/keys?q=nothing-like-this'],
  ['a key', () => `/keys/${scene.hostileId}`],
  ['a banned key', () => `/keys/${scene.bannedId}`],
  ['no such key', () => '/keys/key_of_nobody'],
  ['owners', () => '/owners'],
  ['an owner', () => '/owners/acme'],
  ['plans', () => '/plans'],
  ['a plan', () => '/plans/free'],
  ['bans', () => '/bans'],
  ['webhooks', () => '/webhooks'],
  ['webhooks that nothing matches', () => '/webhooks?account=none&status=disabled'],
  ['a webhook', () => `/webhooks/${scene.webhookId}`],
  ['a delivery', () => `/webhooks/${scene.webhookId}?delivery=${scene.deliveryId}`],
  ['no such webhook', () => '/webhooks/whk_of_nobody'],
  ['events', () => '/events'],
  ['an event', () => `/events?event=${scene.eventId}`],
  ['events that nothing matches', () => '/events?subject=nothing-like-this'],
  ['audit', () => '/audit'],
  ['system', () => '/system'],
  ['no such screen', () => '/nowhere'],
];

test("the system screen links to the licenses of the console's packages", async () => {
  const open = pages.light!;
  const { page } = open;
  await open.show('/system');
  await page.getByRole('link', { name: 'Open-source licenses' }).click();
  await page.waitForURL(`${console.gateway.adminUrl}/console/licenses.txt`);
  const text = await page.innerText('body');
  expect(text).toMatch(/^The pages of Tollgate's console .* react 19.*SIL OPEN FONT LICENSE/s);
  await page.goBack();
});

/** Less, and words break after a few letters. */
const NARROWEST_FIRST_COLUMN_PX = 90;

test.each(SCREENS)(
  '%s: the first column of tables is readable at every width, and no control lies over another',
  async (_, address) => {
    const open = pages.light!;
    await open.show(address());
    for (const width of [390, 600, 800, 1024, 1152, 1440]) {
      await open.page.setViewportSize({ width, height: 800 });
      expect(await open.overflow()).toBeLessThanOrEqual(0);
      expect([width, await overlaps(open)]).toEqual([width, []]);
      const first = await open.page.evaluate<number[]>(
        `[...document.querySelectorAll('main table')].filter(({ offsetWidth }) => offsetWidth > 0)
        .map((table) => [...table.querySelectorAll('th')].find((head) => !head.querySelector('input')).offsetWidth)`,
      );
      expect([width, first.filter((px) => px < NARROWEST_FIRST_COLUMN_PX)]).toEqual([width, []]);
    }
    await open.page.setViewportSize({ width: 1280, height: 800 });
  },
);

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(SCREENS)('%s is shown without faults', async (_, address) => {
    const open = pages[theme];
    if (open === undefined) throw new Error('the page is not open');
    await open.show(address());
    expect(await open.faults()).toEqual([]);
    expect(await open.findings()).toEqual([]);
    await open.page.setViewportSize({ width: 320, height: 640 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
    await open.page.setViewportSize({ width: 1280, height: 800 });
    expect(await open.page.title()).not.toBe('pwned');
  });
});
