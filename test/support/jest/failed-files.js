import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A reporter that writes the paths of the test files that failed, a line each. For `.ci/run`. */
export default class FailedFiles {
  #rootDir;
  #output;

  constructor({ rootDir }, { output }) {
    this.#rootDir = rootDir;
    this.#output = output;
  }

  onRunComplete(_contexts, { testResults }) {
    const failed = testResults.filter(({ failureMessage, numFailingTests }) => failureMessage || numFailingTests > 0);
    writeFileSync(
      this.#output,
      failed.map(({ testFilePath }) => `${relative(this.#rootDir, testFilePath)}\n`).join(''),
    );
  }
}
