import config from './jest.config.js';

/** The tests of `npm run test:all`: every group but that of the image. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/', '/test/image/'],
};
