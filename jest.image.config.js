import config from './jest.config.js';

/** The tests of the image, which need a Docker engine and no other server. */
export default {
  ...config,
  roots: ['<rootDir>/test/image'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: null,
  globalTeardown: null,
};
