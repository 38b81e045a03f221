/**
 * Loads what a container runs once, so that its compiled code is in the folder that NODE_COMPILE_CACHE names, and a start
 * finds it there: the gateway as it was built, and the commands. Compiled code is kept for the flags of V8 that it was made
 * with, so everything is loaded under those of its start.
 */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { collectorFlags, loadStart } from '../src/load-start.ts';

/** What runs as soon as it is loaded. */
const ENTRY_POINTS = /\/(?:main\.ts|history-worker\.js)$/;

async function loadAll(files: string): Promise<void> {
  for (const file of globSync(files)) {
    if (!ENTRY_POINTS.test(file)) await import(pathToFileURL(resolve(file)).href);
  }
}

await loadAll('src/{cli,server}/**/*.ts');
await loadStart();
await loadAll('dist/gateway/*.js');
// The threads of a gateway start under the flags that it has set, and look for a folder of their own.
if (process.execArgv.length === 0) execFileSync(process.execPath, [...collectorFlags, import.meta.filename]);
