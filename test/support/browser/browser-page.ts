import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { until } from '../log-lines.ts';
import { findChromium } from './chromium-program.js';

const LOADED_WITHIN_MS = 30_000;

/** The small one: each document loads it once more. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const AXE_OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** The rules whose findings depend on the color scheme: everything else is the same in light and dark. */
const COLOUR_OPTIONS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

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
  /** Of those, only what depends on the color scheme. */
  colorFindings(): Promise<readonly string[]>;
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
  /** Where the addresses of screens are: in the fragment, or below this path of the page's host. */
  readonly base?: string | undefined;
}

/** A page of a browser profile of its own. */
export async function openPage(
  browser: Browser,
  { url, width = 1280, dark = false, nowMs, base }: PageOptions,
): Promise<BrowserPage> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  watchRequests(page);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`error: ${error.message}`));
  await page.addInitScript({ content: RECORD_VIOLATIONS });
  if (nowMs !== undefined) await page.clock.setFixedTime(nowMs);
  await page.goto(url);
  return {
    page,
    context,
    async show(next) {
      const [before, after] = base === undefined ? ['location.hash =', ''] : ['history.pushState(null, "",', ')'];
      await page.evaluate(`${before} ${JSON.stringify((base ?? '') + next)} ${after}`);
      await settled(page);
    },
    faults: async () => [...errors, ...(await page.evaluate<string[]>('violations'))],
    findings: () => findingsOf(page, AXE_OPTIONS),
    colorFindings: () => findingsOf(page, COLOUR_OPTIONS),
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

/** Of each page, the requests that run. */
const running = new WeakMap<Page, Set<Request>>();

/** For `settled`. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  running.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * The screen is there, and nothing of it is still on its way. Playwright's `networkidle` means the same, and waits for
 * half a second each time.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  let quiet = 0;
  await until(async () => {
    // What was loaded may load something in its turn: once it is shown, which takes a moment on a busy machine.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const loading = await page.locator('[role="status"][aria-label^="Loading"]').count();
    quiet = loading === 0 && running.get(page)?.size === 0 ? quiet + 1 : 0;
    return quiet === 2;
  }, LOADED_WITHIN_MS);
}

async function findingsOf(page: Page, options: RunOptions): Promise<readonly string[]> {
  // Once for every document. Axe's own helper loads it for each analysis, and makes a page beside to put frames together:
  // there are none here, and it takes three times as long.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
