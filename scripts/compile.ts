/**
 * Loads what a container runs once, so that its compiled code is in the folder that NODE_COMPILE_CACHE names, and a start
 * finds it there: the gateway as it was built, and the commands.
 */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What runs as soon as it is loaded. */
const ENTRY_POINTS = /\/(?:main\.ts|history-worker\.js)$/;

for (const file of globSync(['dist/gateway/*.js', 'src/{cli,server}/**/*.ts'])) {
  if (!ENTRY_POINTS.test(file)) await import(pathToFileURL(resolve(file)).href);
}
