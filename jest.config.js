import { availableParallelism } from 'node:os';

/** Names the test files that failed in this file, for CI to run them again. */
function failedFiles() {
  const output = process.env.FAILED_TEST_FILES;
  return output === undefined ? [] : [['<rootDir>/test/support/jest/failed-files.js', { output }]];
}

export default {
  // Many test files wait rather than compute.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  // Many tests start processes and servers of their own, on machines that may be slow.
  testTimeout: 60_000,
  roots: ['<rootDir>/test', '<rootDir>/web'],
  testMatch: ['**/*.test.ts'],
  // Those of the image need a Docker engine: `npm run test:image`.
  testPathIgnorePatterns: ['/node_modules/', '/test/image/'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.js',
  // Tests run what production runs: the same files, loaded by Node itself.
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
  reporters: ['default', ...failedFiles()],
  transform: {},
  injectGlobals: false,
};
