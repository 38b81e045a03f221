import { existsSync } from 'node:fs';

const PLACES = [
  // Chromium without windows, as Debian packages it, needs less of the processor.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser for the console's tests: `CHROMIUM` if set, otherwise an installed one. */
export function findChromium() {
  return process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
}
