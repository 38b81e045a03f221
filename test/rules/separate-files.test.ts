/**
 * Test files run one after another in one process. A time limit that one file set once failed the tests of another. So
 * one file leaves behind everything that it can, and two later files fail if they find any of it.
 */
import { expect, test } from '@jest/globals';
import { runProgram } from '../support/gateway/process.ts';

test('nothing that a test file leaves behind reaches the next test file', async () => {
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', '--config', 'test/rules/separate-files/jest.config.js'];
  const run = runProgram(process.execPath, args, {});
  await run.ended();
  expect(run.output()).toMatch(/^Test Suites: 3 passed, 3 total$/m);
});
