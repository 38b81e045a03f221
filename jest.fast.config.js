import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import config from './jest.config.js';

/** Imports of those who start a process, a server or a gateway, or who use a shared server. */
const STARTS =
  /^(?:node:(?:child_process|http|net|worker_threads)|undici|playwright-core)$|\/(?:src\/gateway|shared-servers)\.ts$/;
const IMPORT = /^(?:import|export) (?!type )[^']*'([^']+)'/gm;

const starting = new Map();

/** Whether a file of the tests starts something, or one of those that it imports does. */
function startsSomething(path) {
  const known = starting.get(path);
  if (known !== undefined) return known;
  starting.set(path, false);
  const source = readFileSync(join(import.meta.dirname, path), 'utf8');
  const imports = [...source.matchAll(IMPORT)].map(([, name]) => name);
  const ours = imports
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(import.meta.dirname, join(import.meta.dirname, dirname(path), name)))
    .filter((name) => name.startsWith('test/'));
  const starts = imports.some((name) => STARTS.test(name)) || ours.some(startsSomething);
  starting.set(path, starts);
  return starts;
}

/** The tests for the loop of work: those that start nothing, as their imports tell. */
const fast = globSync('{test,web}/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) => !startsSomething(path));

export default {
  ...config,
  testMatch: fast.map((path) => `<rootDir>/${path}`),
  // Servers, for tests that need none.
  globalSetup: null,
  globalTeardown: null,
};
