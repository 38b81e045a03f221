import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isParsable } from './bounds.ts';
import { parseMarkdown } from './parse.ts';

const docs = join(import.meta.dirname, '../../../docs');

test.each(['consumers.md', 'errors.md', 'operators/portal.md'])('%s is parsed', (file) => {
  expect(isParsable(readFileSync(join(docs, file), 'utf8'))).toBe(true);
});

test.each([
  ['quotes in a line', '>'.repeat(20_000)],
  ['brackets', '['.repeat(20_000)],
  ['emphasis on many lines', '*a_\n'.repeat(10_000)],
  ['lists in lists', `${'- '.repeat(30)}a\n\n`.repeat(200)],
  ['lists by indentation', Array.from({ length: 100 }, (_, level) => `${'  '.repeat(level)}- a\n\n`).join('')],
  ['a long list', '- a\n\n'.repeat(20_000)],
  ['headings', 'a\n=\n'.repeat(5000)],
  ['a long text', 'word '.repeat(50_000)],
])('%s would block the page, and are not parsed', (_, text) => {
  expect(isParsable(text)).toBe(false);
});

/** The most that is parsed of what takes longest. A slow machine has ten times as long as this one took. */
test.each([
  ['brackets', (length: number) => '['.repeat(length)],
  ['emphasis', (length: number) => '*a_'.repeat(length)],
  ['lists', (length: number) => '- a\n\n'.repeat(length)],
  ['quotes', (length: number) => `${'>'.repeat(30)}a\n\n`.repeat(length)],
])('%s are parsed only as far as they are fast', (_, text) => {
  let length = 1;
  while (isParsable(text(length * 2))) length *= 2;
  const startMs = performance.now();
  parseMarkdown(text(length));
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
