import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { sharedBrowser } from '../servers/shared-servers.ts';
import { until, WAIT_LIMIT_MS } from '../until.ts';
import { findChromium } from './chromium-program.js';

/** The minified build of axe, because every document loads it again. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const AXE_OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** Options that limit axe to the rules whose findings depend on the color scheme. */
const COLOUR_OPTIONS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

/**
 * The element to check: an open dialog or menu, or else the page. The page behind a dialog is left out, because it
 * cannot be used.
 */
const CONTEXT = `document.querySelector('[role="dialog"], [role="menu"]') ?? document`;

/**
 * A script that runs in the page before the page's own code. It is a string, because the tests are not compiled with
 * the DOM types.
 */
const RECORD_VIOLATIONS = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    violations.push([effectiveDirective, blockedURI, sample].join(' '));
  });
`;

export interface BrowserPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Navigates to a screen and waits until it has loaded its data. */
  show(at: string): Promise<void>;
  /** The violations of the content security policy, and the uncaught errors of the page. */
  pageErrors(): Promise<readonly string[]>;
  /** The violations of WCAG 2.2 AA that axe finds in the open dialog, or else on the page. One line each. */
  findings(): Promise<readonly string[]>;
  /** Like `findings`, but with only the rules that depend on the color scheme. */
  colorFindings(): Promise<readonly string[]>;
  /** The number of pixels by which the page is wider than its viewport. */
  overflow(): Promise<number>;
  close(): Promise<void>;
}

interface PageOptions {
  readonly url: string;
  readonly width?: number | undefined;
  readonly dark?: boolean | undefined;
  /** The fixed time of the page's clock, in ms since the Unix epoch. */
  readonly nowMs?: number | undefined;
  /** The path below which screens have their URLs. Without a path, the screen is in the fragment. */
  readonly base?: string | undefined;
}

/** Opens a page in a new browser context. */
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
  context.setDefaultTimeout(WAIT_LIMIT_MS);
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
      await waitUntilSettled(page);
    },
    pageErrors: async () => [...errors, ...(await page.evaluate<string[]>('violations'))],
    findings: () => findViolations(page, AXE_OPTIONS),
    colorFindings: () => findViolations(page, COLOUR_OPTIONS),
    overflow: () =>
      page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    close: () => context.close(),
  };
}

/** Connects to the browser of the test run. Outside of a test run, it starts a browser. */
export async function connectToBrowser(): Promise<Browser> {
  const endpoint = await sharedBrowser();
  if (endpoint !== undefined) return chromium.connect(endpoint);
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** The requests in progress, by page. */
const pendingRequests = new WeakMap<Page, Set<Request>>();

/** Tracks the requests of a page, for which `waitUntilSettled` waits. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  pendingRequests.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/**
 * Waits until the screen is rendered and no request is in progress. Playwright's `networkidle` does the same but takes
 * half a second longer.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  let quiet = 0;
  await until(async () => {
    // Rendering a response can start more requests, which takes a moment on a busy machine.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const loading = await page.locator('[role="status"][aria-label^="Loading"]').count();
    quiet = loading === 0 && pendingRequests.get(page)?.size === 0 ? quiet + 1 : 0;
    return quiet === 2;
  });
}

async function findViolations(page: Page, options: RunOptions): Promise<readonly string[]> {
  // Axe is loaded once for each document. `@axe-core/playwright` would take three times as long, because it loads axe
  // for each analysis and opens another page to merge frames, which these pages do not have.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${CONTEXT}, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
