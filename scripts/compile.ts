/**
 * Loads every module of src once, so that its compiled code is in the folder that NODE_COMPILE_CACHE names, and a start
 * finds it there.
 */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What runs as soon as it is loaded. */
const ENTRY_POINTS = /\/(?:main|history-worker)\.ts$/;

for (const file of globSync('src/**/*.ts')) {
  if (!ENTRY_POINTS.test(file)) await import(pathToFileURL(resolve(file)).href);
}
