import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { PORTAL_FOLDER } from '../../src/control-plane/portal/portal-paths.ts';
import { type BrowserPage, connectToBrowser, openPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import type { TestGatewayOptions } from '../support/gateway/gateway.ts';
import { type Portal, startPortal } from '../support/gateway/portal.ts';

interface OpenOptions {
  readonly width?: number;
  readonly dark?: boolean;
}

export interface PortalUnderTest extends Portal {
  readonly chromium: Browser;
  /** Opens a page by its path, or the first page with a fragment such as `token=…`. */
  open(at: string, options?: OpenOptions): Promise<BrowserPage>;
  /** Signs in to the account with a link, and opens a page. */
  openAs(accountId: string, options?: OpenOptions): Promise<BrowserPage>;
}

/** Starts a gateway with the built portal, and connects to a browser. */
export async function startPortalPages(options: TestGatewayOptions = {}): Promise<PortalUnderTest> {
  if (!existsSync(PORTAL_FOLDER)) throw new Error('the portal is not built: npm run prepare');
  const portal = await startPortal(options);
  const chromium = await connectToBrowser();
  const open = (at: string, more: OpenOptions = {}) => {
    const url = portal.gateway.portalUrl + (at.startsWith('/') ? at : `/#${at}`);
    return openPage(chromium, { url, base: '', ...more });
  };
  return {
    ...portal,
    chromium,
    open,
    async openAs(accountId, more) {
      const opened = await open(`token=${await portal.link(accountId)}`, more);
      await opened.page.getByRole('button', { name: /^Sign in as/ }).click();
      await waitUntilSettled(opened.page);
      return opened;
    },
    async stop() {
      await chromium.close();
      await portal.stop();
    },
  };
}
