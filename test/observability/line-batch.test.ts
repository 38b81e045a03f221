import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LineBatch } from '../../src/observability/line-batch.ts';

let written: string[] = [];
const batch = () => new LineBatch({ write: (text: string) => void written.push(text), flush: (done) => done() });

beforeEach(() => {
  written = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('lines go out together, and none waits longer than a tenth of a second', () => {
  const lines = batch();
  lines.write('a\n');
  jest.advanceTimersByTime(60);
  lines.write('b\n');
  jest.advanceTimersByTime(39);
  expect(written).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(written).toEqual(['a\nb\n']);
  lines.write('c\n');
  jest.advanceTimersByTime(100);
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('who flushes is told when all is written', () => {
  const lines = batch();
  lines.write('a\n');
  const done = jest.fn();
  lines.flush(done);
  expect(written).toEqual(['a\n']);
  expect(done).toHaveBeenCalledTimes(1);
});

test('many lines do not wait at all', () => {
  const lines = batch();
  const line = `${'x'.repeat(1023)}\n`;
  for (let count = 0; count < 128; count++) lines.write(line);
  expect(written.map(({ length }) => length)).toEqual([65_536, 65_536]);
  jest.advanceTimersByTime(1000);
  expect(written).toHaveLength(2);
});

test.each(['process.exit(3)', 'logger.flush(() => process.exit(3))', 'throw new Error("unforeseen")', ''])(
  'nothing is lost when the process ends: %j',
  (end) => {
    const program = `
    import { createLogger } from '${new URL('../../src/observability/logger.ts', import.meta.url).href}';
    const logger = createLogger('info');
    for (let count = 0; count < 600; count++) logger.info({ count }, 'line');
    ${end}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    const counts = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { count: number }).count);
    expect(counts).toEqual(Array.from({ length: 600 }, (_, index) => index));
  },
);
