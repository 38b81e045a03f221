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

/** A console with one page, which is open during all tests of a file. @param timeoutMs how long the page waits for anything */
export async function startOnePage(
  timeoutMs: number,
  options?: TestGatewayOptions,
  opened?: OpenOptions,
): Promise<OnePage> {
  const console = await startConsole(options);
  const open = await console.open(opened);
  open.page.setDefaultTimeout(timeoutMs);
  return { console, open, page: open.page };
}

/** Fails if the page had an error, or broke its policy. */
export async function stopWithoutFaults(console: ConsoleUnderTest, open: BrowserPage): Promise<void> {
  const faults = await open.faults();
  await console.stop();
  expect(faults).toEqual([]);
}
