import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium-program.js';

/** Runs in the page, before its own code; text, because the tests are not compiled against a browser. */
const RECORD_VIOLATIONS = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    violations.push([effectiveDirective, blockedURI, sample].join(' '));
  });
`;

export interface BrowserPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Shows a screen, and waits until it has read what it shows. */
  show(at: string): Promise<void>;
  /** What broke the content security policy, or failed in the page's own code. */
  faults(): Promise<readonly string[]>;
  /** What axe finds of WCAG 2.2 AA, in a line each. */
  findings(): Promise<readonly string[]>;
  /** By how many pixels the page is wider than its window. */
  overflow(): Promise<number>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly url: string;
  readonly width?: number | undefined;
  readonly dark?: boolean | undefined;
  /** What the clock of the page shows, for ever. */
  readonly nowMs?: number | undefined;
}

/** A page of a browser profile of its own. */
export async function openPage(
  browser: Browser,
  { url, width = 1280, dark = false, nowMs }: PageOptions,
): Promise<BrowserPage> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`error: ${error.message}`));
  await page.addInitScript({ content: RECORD_VIOLATIONS });
  if (nowMs !== undefined) await page.clock.setFixedTime(nowMs);
  await page.goto(url);
  return {
    page,
    context,
    async show(next) {
      await page.evaluate(`location.hash = ${JSON.stringify(next)}`);
      await settled(page);
    },
    faults: async () => [...errors, ...(await page.evaluate<string[]>('violations'))],
    findings: () => findingsOf(page),
    overflow: () =>
      page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    close: () => context.close(),
  };
}

/** The browser of the run; without one (a run of files by other names), one of its own. */
export async function connectToBrowser(): Promise<Browser> {
  const endpoint = process.env['TEST_BROWSER'];
  if (endpoint !== undefined) return chromium.connect(endpoint);
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** The screen is there, and nothing of it is still on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  const loading = page.locator('[role="status"][aria-label^="Loading"]').first();
  await loading.waitFor({ state: 'detached' });
  // What was loaded may load something in its turn.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await loading.waitFor({ state: 'detached' });
}

async function findingsOf(page: Page): Promise<readonly string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
