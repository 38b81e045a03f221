import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LineBatch } from '../../../src/telemetry/log/line-batch.ts';
import { until } from '../../support/until.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { measureTime } from '../../support/stopwatch.ts';

let folder: ReturnType<typeof tempFolder>;
const open: number[] = [];
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  jest.useRealTimers();
  for (const fd of open.splice(0)) closeSync(fd);
  folder.remove();
});

function openFile(path: string, flags: string | number): number {
  const fd = openSync(path, flags);
  open.push(fd);
  return fd;
}

/** Creates a batch that writes to a file, and a function that reads the file. */
function toFile(onGap = (_dropped: number) => {}) {
  const path = join(folder.path, 'log');
  return { lines: new LineBatch(openFile(path, 'a'), onGap), written: () => readFileSync(path, 'utf8') };
}

/** Creates a pipe with a buffer of 64 KB, from which only the test reads. */
function makePipe(): number {
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  return openFile(path, constants.O_RDWR | constants.O_NONBLOCK);
}

/** Reads everything that is in the pipe. */
function drain(pipe: number): string {
  const chunk = Buffer.alloc(65_536);
  try {
    return chunk.toString('latin1', 0, readSync(pipe, chunk));
  } catch {
    return '';
  }
}

const flushed = (lines: LineBatch) => new Promise<void>((resolve) => lines.flush(resolve));
const line = `${'x'.repeat(1023)}\n`;

test('lines are written in batches, at most about 100 ms late', async () => {
  jest.useFakeTimers();
  const { lines, written } = toFile();
  lines.write('a\n');
  jest.advanceTimersByTime(30);
  lines.write('b\n');
  jest.advanceTimersByTime(60);
  await sleep(20);
  expect(written()).toBe('');
  jest.advanceTimersByTime(10);
  while (written() === '') await sleep(5);
  expect(written()).toBe('a\nb\n');
});

test('a flush resolves when everything is written', async () => {
  const { lines, written } = toFile();
  for (let count = 0; count < 200; count++) lines.write(line);
  await flushed(lines);
  expect(written()).toBe(line.repeat(200));
});

test('a full batch is written immediately', async () => {
  jest.useFakeTimers();
  const { lines, written } = toFile();
  for (let count = 0; count < 64; count++) lines.write(line);
  while (written() === '') await sleep(5);
  expect(written()).toBe(line.repeat(64));
});

test('lines for a full pipe are buffered up to a megabyte, and lines beyond it are dropped, counted and reported in their place', async () => {
  const pipe = makePipe();
  const gaps: number[] = [];
  const lines = new LineBatch(pipe, (dropped) => {
    gaps.push(dropped);
    lines.write('the gap\n');
  });
  for (let count = 0; count < 3000; count++) {
    lines.write(`${String(count).padStart(6)}${'x'.repeat(1017)}\n`);
    // Wait until the batch is written, of which the pipe accepts only a part.
    if (count === 64) await sleep(50);
  }
  const { dropped } = lines;
  expect(dropped).toBeGreaterThan(1500);
  expect(dropped).toBeLessThan(2000);
  expect(gaps).toEqual([]);

  let text = '';
  await until(() => (text += drain(pipe)).includes('the gap'));
  expect(gaps).toEqual([dropped]);
  const read = text.trimEnd().split('\n');
  expect(read.pop()).toBe('the gap');
  expect(read.map((each) => Number(each.slice(0, 6)))).toEqual(
    Array.from({ length: 3000 - dropped }, (_, index) => index),
  );

  lines.write('after\n');
  await flushed(lines);
  expect(drain(pipe)).toBe('after\n');
  expect(lines.dropped).toBe(dropped);
});

test('a line longer than the buffer is still written', async () => {
  const { lines, written } = toFile();
  const long = `${'x'.repeat(2_000_000)}\n`;
  lines.write(long);
  await flushed(lines);
  expect(written()).toBe(long);
});

/** The limit for a wait that takes about a second. Without the limit under test, the wait would never end. */
const MAX_WAIT_MS = 60_000;

test.each([
  ['a full disk', () => openFile('/dev/full', 'w')],
  [
    'a full pipe',
    () => {
      const pipe = makePipe();
      writeSync(pipe, Buffer.alloc(65_536));
      return pipe;
    },
  ],
])('a flush to %s ends, and so does the write at the exit', async (_, fd) => {
  const lines = new LineBatch(fd(), () => {});
  lines.write('a\n');
  expect((await measureTime(() => flushed(lines))).ms).toBeLessThan(MAX_WAIT_MS);
  const start = performance.now();
  lines.flushAtExit();
  expect(performance.now() - start).toBeLessThan(MAX_WAIT_MS);
});

test.each(['process.exit(3)', 'logger.flush(() => process.exit(3))', 'throw new Error("unforeseen")', ''])(
  'no line is lost when the process exits: %j',
  (end) => {
    const program = `
    import { openLog } from '${new URL('../../../src/telemetry/log/logger.ts', import.meta.url).href}';
    const { logger } = await openLog('info');
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

test('a write counts as hanging until the system accepts it', async () => {
  const path = join(folder.path, 'blocking');
  execFileSync('mkfifo', [path]);
  const pipe = openFile(path, constants.O_RDWR);
  const lines = new LineBatch(pipe, () => {});
  lines.write(line.repeat(100));
  await until(() => lines.isHung);
  readSync(pipe, Buffer.alloc(65_536));
  await flushed(lines);
  expect(lines.isHung).toBe(false);
});

test('a write does not hang if the process was only too busy to notice its end', async () => {
  const { lines } = toFile();
  lines.write(line.repeat(100));
  const seen: boolean[] = [];
  setTimeout(() => seen.push(lines.isHung), 1);
  const busyUntil = performance.now() + 700;
  while (performance.now() < busyUntil);
  seen.push(lines.isHung);
  await flushed(lines);
  expect([...seen, lines.isHung]).toEqual([false, false, false]);
});
