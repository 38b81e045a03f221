export default {
  testEnvironment: 'node',
  // Many tests start processes and servers of their own, on machines that may be slow.
  testTimeout: 30_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/retry.js'],
  // A connection to a server that a test has stopped tries again for ever: it must not keep the run from its end.
  forceExit: true,
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  // Tests run what production runs: the same files, their types stripped by Node itself.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
};
