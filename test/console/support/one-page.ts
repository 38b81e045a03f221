import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../../support/browser/browser-page.ts';
import type { TestGatewayOptions } from '../../support/gateway/gateway.ts';
import { type ConsoleUnderTest, type OpenOptions, startConsole } from './console.ts';

interface OnePage {
  readonly console: ConsoleUnderTest;
  readonly open: BrowserPage;
  readonly page: Page;
}

/** Starts a console with one page that stays open during all tests of a file. */
export async function startOnePage(options?: TestGatewayOptions, opened?: OpenOptions): Promise<OnePage> {
  const console = await startConsole(options);
  const open = await console.open(opened);
  open.page.setDefaultTimeout(30_000);
  return { console, open, page: open.page };
}

/** Stops the console. Fails if the page had an error or violated its content security policy. */
export async function stopAndExpectNoErrors(console: ConsoleUnderTest, open: BrowserPage): Promise<void> {
  const errors = await open.pageErrors();
  await console.stop();
  expect(errors).toEqual([]);
}
