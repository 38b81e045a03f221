import { type BrowserServer, chromium } from 'playwright-core';
import { findChromium } from './chromium-program.js';

/**
 * Starts the browser of a test run. Test files connect to it and open their own contexts. A browser for each file would
 * take most of a second to start, and more memory than all the gateways.
 */
export async function startBrowserServer(): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  // The browser must not handle signals, because the program that starts it does.
  const handle = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launchServer({ executablePath, host: '127.0.0.1', args: ['--no-sandbox'], ...handle });
}
