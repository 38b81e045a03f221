import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of the console's tests: the one that CHROMIUM names, else one that is installed. */
export function findChromium() {
  return process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
}
