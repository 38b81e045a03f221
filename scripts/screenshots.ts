/**
 * `npm run screenshots` takes the pictures of the documents from the real thing: a gateway with a day of calls, in a real
 * browser. The clocks of both stand still, so that pictures differ only where the console does (and in ids, which are
 * random).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startConsole } from '../test/console/support/console.ts';
import { type Demo, playDay } from './screenshots/day.ts';

const NOW_MS = Date.parse('2026-11-20T14:30:40Z');
const FOLDER = join(import.meta.dirname, '../docs/images');

interface Shot {
  readonly name: string;
  readonly at: (demo: Demo) => string;
  readonly height: number;
  readonly dark?: boolean;
  /** What is done before the picture is taken. */
  readonly prepare?: ((page: Page) => Promise<void>) | undefined;
}

const SHOTS: readonly Shot[] = [
  { name: 'console-overview', at: () => '/overview?period=24h', height: 980 },
  { name: 'console-overview-dark', at: () => '/overview?period=24h', height: 980, dark: true },
  { name: 'console-keys', at: () => '/keys', height: 620 },
  { name: 'console-key', at: ({ bannedKey }) => `/keys/${bannedKey}?period=24h`, height: 980 },
  { name: 'console-operation', at: () => '/operations/getPet?period=24h', height: 980 },
  { name: 'console-plan', at: () => '/plans/free?period=24h', height: 900, prepare: previewPlan },
];

async function previewPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Requests a minute').fill('40');
  await page.getByLabel('Reason').fill('The free plan is for trying things out');
  await page.getByText('went above these limits').waitFor();
}

mkdirSync(FOLDER, { recursive: true });
let nowMs = NOW_MS;
const console = await startConsole({ clock: () => nowMs, settings: { demo: false } });
try {
  const demo = await playDay(console.gateway, NOW_MS, (ms) => {
    nowMs = ms;
  });
  for (const { name, at, height, dark = false, prepare } of SHOTS) {
    // oxlint-disable-next-line no-await-in-loop -- one browser, and pictures that do not depend on what else it does
    await take({ path: join(FOLDER, `${name}.png`), at: at(demo), height, dark, prepare });
  }
} finally {
  await console.stop();
}

async function take(shot: Omit<Shot, 'name' | 'at'> & { readonly path: string; readonly at: string }): Promise<void> {
  const open = await console.open({ at: '/plans', dark: shot.dark ?? false, nowMs: NOW_MS });
  await open.page.setViewportSize({ width: 1280, height: shot.height });
  await open.show(shot.at);
  await shot.prepare?.(open.page);
  if (shot.at.includes('period=')) await open.page.locator('figure canvas').nth(1).waitFor();
  await open.page.screenshot({ path: shot.path, animations: 'disabled', caret: 'hide' });
  await open.close();
  process.stdout.write(`${shot.path}\n`);
}
