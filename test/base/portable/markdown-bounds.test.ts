import { expect, test } from '@jest/globals';
import { type MarkdownFault, findMarkdownFault } from '../../../src/base/portable/markdown-bounds.ts';
import { parseMarkdown } from '../../../web/portal/markdown/parse.ts';
import { readDocument } from '../../support/documents.ts';

test.each(['consumers.md', 'errors.md', 'operators/portal.md'])('the document %s is within the limits', (file) => {
  expect(findMarkdownFault(readDocument(`docs/${file}`))).toBeNull();
});

test.each<[string, string, MarkdownFault]>([
  ['quotes in a line', '>'.repeat(20_000), { line: 0, kind: 'nesting' }],
  ['brackets', '['.repeat(20_000), { line: 0, kind: 'marks' }],
  ['emphasis on many lines', '*a_\n'.repeat(1900), { line: 707, kind: 'marks' }],
  ['lists in lists', `${'- '.repeat(30)}a\n\n`.repeat(200), { line: 94, kind: 'lists' }],
  [
    'lists by indentation',
    Array.from({ length: 100 }, (_, level) => `${'  '.repeat(level)}- a\n\n`).join(''),
    { line: 60, kind: 'nesting' },
  ],
  ['a long list', '- a\n'.repeat(1999), { line: 1414, kind: 'lists' }],
  ['headings', 'a\n=\n'.repeat(5000), { line: 2000, kind: 'lines' }],
  ['a long text', 'word '.repeat(50_000), { line: 0, kind: 'length' }],
])('%s would block the page, and are not parsed', (_, text, fault) => {
  expect(findMarkdownFault(text)).toEqual(fault);
});

/** Parses the longest input of each kind that is not refused. It takes up to a second. */
test.each([
  ['brackets', (length: number) => '['.repeat(length)],
  ['emphasis', (length: number) => '*a_'.repeat(length)],
  ['lists', (length: number) => '- a\n\n'.repeat(length)],
  ['quotes', (length: number) => `${'>'.repeat(30)}a\n\n`.repeat(length)],
  ['words in a line', (length: number) => 'word '.repeat(length)],
  ['lines of a paragraph', (length: number) => 'some words\n'.repeat(length)],
])('the longest input of %s that is still parsed takes little time', (_, text) => {
  let length = 1;
  while (findMarkdownFault(text(length * 2)) === null) length *= 2;
  const start = process.threadCpuUsage();
  parseMarkdown(text(length));
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(20_000);
});
