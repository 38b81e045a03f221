import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { CONSOLE_FOLDER } from '../../../src/control-plane/admin/console-paths.ts';
import { type BrowserPage, connectToBrowser, openPage, waitUntilSettled } from '../../support/browser/browser-page.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway/gateway.ts';

export const VIEWER_TOKEN = 'a-viewer-token-for-the-console-tests';

export interface ConsoleUnderTest {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  /** Opens a page in a new browser context, signed in unless `token` is null. */
  open(options?: OpenOptions): Promise<BrowserPage>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  readonly token?: string | null;
  readonly width?: number;
  readonly dark?: boolean;
  /** The fixed time of the browser's clock, in ms since the Unix epoch. */
  readonly nowMs?: number;
  /** The screen to show, as the fragment of the URL. */
  readonly at?: string;
}

/** Starts a gateway with the built console, and connects to a browser. */
export async function startConsole(options: TestGatewayOptions = {}): Promise<ConsoleUnderTest> {
  if (!existsSync(CONSOLE_FOLDER)) throw new Error('the console is not built: npm run prepare');
  const gateway = await startTestGateway({
    ...options,
    settings: {
      adminTokens: [{ name: 'onlooker', role: 'viewer', token: '${VIEWER_TOKEN}' }],
      // The tests have webhook endpoints on loopback.
      events: { allowPrivate: true },
      ...options.settings,
    },
    env: { VIEWER_TOKEN, ...options.env },
  });
  const browser = await connectToBrowser();
  return {
    gateway,
    browser,
    open: (openOptions) => openConsole(browser, gateway, openOptions),
    async stop() {
      await browser.close();
      await gateway.stop();
    },
  };
}

/** Opens the console in a new browser context, signed in unless `token` is null. */
export async function openConsole(
  browser: Browser,
  gateway: TestGateway,
  options: OpenOptions = {},
): Promise<BrowserPage> {
  const { token = gateway.adminToken, at = '/overview', ...more } = options;
  const open = await openPage(browser, { url: `${gateway.adminUrl}/console/#${at}`, ...more });
  if (token !== null) {
    await open.page.getByLabel('Admin token').fill(token);
    await open.page.getByRole('button', { name: 'Sign in' }).click();
    await waitUntilSettled(open.page);
  }
  return open;
}
