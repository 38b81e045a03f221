import config from '../../../jest.config.js';

/** Runs the fixtures of `separate-files.test.ts` in the same way as all tests. */
export default {
  ...config,
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/rules/separate-files/*.fixture.ts'],
  globalSetup: null,
  globalTeardown: null,
};
