import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { root } from '../support/gateway/gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/**
 * The image build runs this script. A source file that starts a program when it is loaded would run during the build or
 * end it.
 */
test('scripts/compile.ts compiles all sources without running any of their programs', async () => {
  const folder = temporaryDirectory();
  const run = await promisify(execFile)(process.execPath, ['scripts/compile.ts'], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: folder, NODE_OPTIONS: '' },
  });
  expect(run).toEqual({ stdout: '', stderr: '' });
  expect(readdirSync(folder)).toHaveLength(1);
});
