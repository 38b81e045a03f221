import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runWithin, TookTooLong } from '../../src/base/run-within.ts';

test('work is stopped after its time limit, even within a regular expression', () => {
  const nested = () => /^(a+)+$/.test(`${'a'.repeat(40)}b`);
  expect(() => runWithin(50, nested)).toThrow(TookTooLong);
  expect(runWithin(50, () => 'done')).toBe('done');
});

test('an error of the work is rethrown unchanged', () => {
  const fail = () => {
    throw new RangeError('wrong');
  };
  expect(() => runWithin(50, fail)).toThrow(RangeError);
});

// On a busy machine, an event was once refused, although checking it takes hardly any time.
test('work that got little processor time within its limit is run again', async () => {
  const file = new URL('../../src/base/run-within.ts', import.meta.url);
  const script = `
    const { writeSync } = await import('node:fs');
    const { runWithin } = await import(${JSON.stringify(file.href)});
    const work = () => {
      const end = process.threadCpuUsage().user + 5000;
      writeSync(1, 'begun\\n');
      while (process.threadCpuUsage().user < end);
      return 'done';
    };
    writeSync(1, runWithin(200, work));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 400));
  child.kill('SIGCONT');
  await closed;
  expect(output).toMatch(/^(?:begun\n)+done$/);
});
