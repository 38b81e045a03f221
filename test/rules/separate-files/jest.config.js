import config from '../../../jest.config.js';

/** The fixtures of `separate-files.test.ts`, run as all tests are. */
export default {
  ...config,
  rootDir: '../../..',
  testMatch: ['<rootDir>/test/rules/separate-files/*.fixture.ts'],
  globalSetup: null,
  globalTeardown: null,
};
