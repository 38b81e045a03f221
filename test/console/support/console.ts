import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CONSOLE_FOLDER } from '../../../src/admin/paths.ts';
import { findChromium } from '../../support/servers/chromium-program.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway/gateway.ts';

/** Runs in the page, before its own code; text, because the tests are not compiled against a browser. */
const RECORD_VIOLATIONS = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    violations.push([effectiveDirective, blockedURI, sample].join(' '));
  });
`;
export const VIEWER_TOKEN = 'the-token-of-somebody-who-looks-on';

export interface ConsoleUnderTest {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  /** A page of a browser profile of its own, signed in unless `token` is null. */
  open(options?: OpenOptions): Promise<ConsolePage>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  readonly token?: string | null;
  readonly width?: number;
  readonly dark?: boolean;
  /** What to show, as it stands in the address after `#`. */
  readonly at?: string;
}

export interface ConsolePage {
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

/** A gateway in this process with the console as it was built, and a real browser. */
export async function startConsole(options: TestGatewayOptions = {}): Promise<ConsoleUnderTest> {
  if (!existsSync(CONSOLE_FOLDER)) throw new Error('the console is not built: npm run prepare');
  const gateway = await startTestGateway({
    ...options,
    settings: { adminTokens: [{ name: 'onlooker', role: 'viewer', token: '${VIEWER_TOKEN}' }], ...options.settings },
    env: { VIEWER_TOKEN, ...options.env },
  });
  const browser = await connectToBrowser();
  return {
    gateway,
    browser,
    open: (openOptions) => openPage(browser, gateway, openOptions),
    async stop() {
      await browser.close();
      await gateway.stop();
    },
  };
}

/** The browser of the run; without one (a run of files by other names), one of its own. */
async function connectToBrowser(): Promise<Browser> {
  const endpoint = process.env['TEST_BROWSER'];
  return endpoint === undefined
    ? chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
    : chromium.connect(endpoint);
}

async function openPage(browser: Browser, gateway: TestGateway, options: OpenOptions = {}): Promise<ConsolePage> {
  const { token = gateway.adminToken, width = 1280, dark = false, at = '/overview' } = options;
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
  await page.goto(`${gateway.adminUrl}/console/#${at}`);
  if (token !== null) {
    await page.getByLabel('Token of the admin API').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await settled(page);
  }
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

/** The screen is there, and nothing of it is still on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[role="status"][aria-label^="Loading"]').first().waitFor({ state: 'detached' });
}

async function findingsOf(page: Page): Promise<readonly string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
