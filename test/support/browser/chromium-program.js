import { existsSync } from 'node:fs';

const PLACES = [
  // Debian's Chromium without windows comes first, because it needs less of the processor.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds the browser for the console's tests: `CHROMIUM` if it is set, otherwise an installed browser. */
export function findChromium() {
  return process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
}
