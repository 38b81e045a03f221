import config from './jest.config.js';

/** The tests of the image, which need a container engine and no other server. `test/image/run.ts` runs them. */
export default {
  ...config,
  roots: ['<rootDir>/test/image'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: null,
  globalTeardown: null,
};
