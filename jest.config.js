import { availableParallelism } from 'node:os';

/**
 * The tests of `npm test`: all that need no browser, no fleet of gateways, and no long run or wait. A file's name tells its
 * group: `*.browser.test.ts`, `*.fleet.test.ts` and `*.slow.test.ts` run with `npm run test:all` only.
 */
export default {
  // Many test files wait rather than compute.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  // Only a test that hangs reaches this limit: a machine that is ten times slower than usual does not.
  testTimeout: 600_000,
  roots: ['<rootDir>/test', '<rootDir>/web'],
  testMatch: ['**/*.test.ts'],
  // `npm run test:image` runs those of the image, which need a container engine.
  testPathIgnorePatterns: ['/node_modules/', '/test/image/', '\\.(?:browser|fleet|slow)\\.test\\.ts$'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.js',
  // Tests run what production runs: the same files, loaded by Node itself.
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
  reporters: ['default'],
  transform: {},
  injectGlobals: false,
};
