export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  // Some start processes, and machines are busy.
  testTimeout: 20_000,
  testMatch: ['**/*.test.ts'],
  // Tests run what production runs: the same files, their types stripped by Node itself.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
};
