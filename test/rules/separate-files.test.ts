/**
 * Test files run one after the other in one process. A time limit that one of them set once failed tests of another. So
 * a file that leaves behind all that it can runs before two that fail if anything is there.
 */
import { expect, test } from '@jest/globals';
import { runProgram } from '../support/gateway/process.ts';

test('nothing that a test file leaves behind reaches the next test file', async () => {
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', '--config', 'test/rules/separate-files/jest.config.js'];
  const run = runProgram(process.execPath, args, {});
  await run.ended();
  expect(run.output()).toMatch(/^Test Suites: 3 passed, 3 total$/m);
});
