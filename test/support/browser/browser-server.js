import { chromium } from 'playwright-core';
import { findChromium } from './chromium-program.js';

/**
 * Starts the one browser of a run: a test file connects to it, and opens profiles of its own. Starting it takes most of
 * a second, and a browser for each file more memory than all the gateways.
 */
export async function startBrowserServer() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launchServer({ executablePath, host: '127.0.0.1', args: ['--no-sandbox'] });
}
