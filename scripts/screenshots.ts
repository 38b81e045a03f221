/**
 * `npm run screenshots` takes the screenshots for the documents in a real browser, from a gateway with a day of calls.
 * The clocks of the gateway and the browser stand still. So a new screenshot differs only if the console has changed, and
 * in ids, which are random.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startConsole } from '../test/console/support/console.ts';
import type { BrowserPage } from '../test/support/browser/browser-page.ts';
import { type Demo, playDay } from './screenshots/day.ts';
import { openPortal } from './screenshots/open-portal.ts';

const NOW_MS = Date.parse('2026-11-20T14:30:40Z');
const FOLDER = join(import.meta.dirname, '../docs/images');

interface Shot {
  readonly name: string;
  readonly getPath: (demo: Demo) => string;
  readonly height: number;
  readonly dark?: boolean;
  /** Actions before the screenshot is taken. */
  readonly prepare?: ((page: Page) => Promise<void>) | undefined;
}

const SHOTS: readonly Shot[] = [
  { name: 'console-overview', getPath: () => '/overview?period=24h', height: 980 },
  { name: 'console-overview-dark', getPath: () => '/overview?period=24h', height: 980, dark: true },
  { name: 'console-keys', getPath: () => '/keys', height: 620 },
  { name: 'console-key', getPath: ({ bannedKey }) => `/keys/${bannedKey}?period=24h`, height: 980 },
  { name: 'console-operation', getPath: () => '/operations/getPet?period=24h', height: 980 },
  { name: 'console-plan', getPath: () => '/plans/free?period=24h', height: 900, prepare: previewPlan },
];

/** Screens as one consumer sees them. Screens with calls from “Try it” come last, because these calls count as requests. */
const PORTAL_SHOTS: readonly Shot[] = [
  { name: 'portal-overview', getPath: () => '/overview', height: 800 },
  { name: 'portal-operation', getPath: () => '/reference/createCategory', height: 1240, prepare: tryCalls },
];

async function previewPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Requests per minute').fill('40');
  await page.getByLabel('Reason').fill('The free plan is for trying things out');
  await page.getByText('exceeded these limits').waitFor();
}

/** Makes two calls with “Try it”. They create a category and then a pet, because a pet needs a category. */
async function tryCalls(page: Page): Promise<void> {
  const send = async () => {
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByRole('article', { name: 'Response', exact: true }).getByText('201').waitFor();
  };
  await send();
  await page.goto(new URL('/reference/createPet', page.url()).href);
  await page.getByRole('heading', { name: 'Create a pet' }).waitFor();
  await send();
  // Scroll to the top, including the column of code, which scrolls separately.
  await page.evaluate("scrollTo(0, 0); for (const part of document.querySelectorAll('main *')) part.scrollTop = 0");
  await page.mouse.move(0, 0);
}

mkdirSync(FOLDER, { recursive: true });
let nowMs = NOW_MS;
const portal = { enabled: true, title: 'Acme API', accent: '#0a7d4f', apiUrl: 'https://api.acme.example' };
const consoleUnderTest = await startConsole({ clock: () => nowMs, settings: { demo: false, portal } });
try {
  const demo = await playDay(consoleUnderTest.gateway, NOW_MS, (ms) => {
    nowMs = ms;
  });
  /* oxlint-disable no-await-in-loop -- one browser, and pictures that do not depend on what else it does */
  for (const { dark = false, ...shot } of SHOTS) {
    await takeScreenshot(await consoleUnderTest.open({ at: '/plans', dark, nowMs: NOW_MS }), shot, demo);
  }
  for (const shot of PORTAL_SHOTS)
    await takeScreenshot(await openPortal(consoleUnderTest, 'Acme Retail', NOW_MS), shot, demo);
  /* oxlint-enable no-await-in-loop */
} finally {
  await consoleUnderTest.stop();
}

async function takeScreenshot(
  portalPage: BrowserPage,
  { name, getPath, height, prepare }: Shot,
  demo: Demo,
): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  await portalPage.page.setViewportSize({ width: 1280, height });
  await portalPage.show(getPath(demo));
  await prepare?.(portalPage.page);
  if (getPath(demo).includes('period=')) await portalPage.page.locator('figure svg').nth(1).waitFor();
  await portalPage.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await portalPage.close();
  process.stdout.write(`${path}\n`);
}
