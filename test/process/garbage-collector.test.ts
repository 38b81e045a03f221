import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../support/gateway/gateway.ts';

function readErrors(program: string): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  return promisify(execFile)(process.execPath, args, { cwd: root }).then(({ stderr }) => stderr);
}

test('V8 knows every flag that the gateway sets', async () => {
  const setFlags =
    "const flags = await import('./src/process/garbage-collector.ts'); flags.keepNewSpaceSmall(); flags.tuneGarbageCollector();";
  expect(await readErrors(setFlags)).toBe('');
  // V8 only reports an unknown flag, and continues. This shows that the test would notice such a report.
  const unknown = "import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-flag');";
  expect(await readErrors(unknown)).toContain('--no-such-flag');
});
