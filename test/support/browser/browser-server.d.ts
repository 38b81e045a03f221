import type { BrowserServer } from 'playwright-core';

export function startBrowserServer(): Promise<BrowserServer>;
