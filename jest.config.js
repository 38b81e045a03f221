import { availableParallelism } from 'node:os';

export default {
  // Many test files wait rather than compute.
  maxWorkers: Math.min(availableParallelism() + 1, 8),
  testSequencer: '<rootDir>/test/support/jest/sequencer.js',
  // Many tests start processes and servers of their own, on machines that may be slow.
  testTimeout: 60_000,
  roots: ['<rootDir>/test', '<rootDir>/web'],
  testMatch: ['**/*.test.ts'],
  // `npm run test:image` runs those of the image, which need a container engine.
  testPathIgnorePatterns: ['/node_modules/', '/test/image/'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.js',
  // Tests run what production runs: the same files, loaded by Node itself.
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.js',
  transform: {},
  injectGlobals: false,
};
