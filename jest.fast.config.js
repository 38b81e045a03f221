import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from './jest.config.js';

/** Imports of those who start a process, a server or a gateway. */
const STARTS =
  /from '(?:node:(?:child_process|http|net)|undici|[./]+(?:support\/)?(?:cli|gateway|servers|services|raw)\b[^']*|[./]+fuzz-tests.ts)'/;

/** The tests for the loop of work: those that start nothing, as their imports tell. */
const fast = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter(
  (path) => !STARTS.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
);

export default {
  ...config,
  testMatch: fast.map((path) => `<rootDir>/${path}`),
  // Servers, for tests that need none.
  globalSetup: null,
  globalTeardown: null,
};
