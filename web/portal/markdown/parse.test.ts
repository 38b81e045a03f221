import { expect, test } from '@jest/globals';
import { definitionsOf, parseMarkdown, quoteParts } from './parse.ts';
import { wordsOf } from './headings.ts';
import { safeAddress } from './safe-address.ts';

/** Descriptions are written by others: nothing in them may run in a consumer's session. */
test.each([
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['vbscript:x', null],
  ['https://example.com/a', 'https://example.com/a'],
  ['mailto:dev@example.com', 'mailto:dev@example.com'],
  ['/pets', '/pets'],
  ['#/docs/errors', '#/docs/errors'],
  ['errors.md', 'errors.md'],
  ['', null],
])('a link to %j leads to %j', (url, address) => {
  expect(safeAddress(url)).toBe(address);
});

test('HTML is a node with its text, in a paragraph and on its own', () => {
  const root = parseMarkdown('a <b onclick="x()">word</b>\n\n<script>alert(1)</script>\n');
  expect(root.children.map(({ type }) => type)).toEqual(['paragraph', 'html']);
  expect(root.children[1]).toMatchObject({ value: '<script>alert(1)</script>' });
});

test('tables, entities and references are read', () => {
  const root = parseMarkdown('| a | b |\n|---|--:|\n| &lt; | [x][y] |\n\n[y]: https://example.com\n');
  expect(root.children[0]).toMatchObject({ type: 'table', align: [null, 'right'] });
  expect(JSON.stringify(root.children[0])).toContain('"value":"<"');
  expect(definitionsOf(root).get('y')?.url).toBe('https://example.com');
});

test.each([
  ['> [!NOTE]\n> Beware of `this`.', 'Note', 'Beware of this.'],
  ['> [!WARNING] It is *gone*.', 'Warning', 'It is gone.'],
  ['> [!CAUTION]\n>\n> Later.', 'Caution', 'Later.'],
  ['> [!OTHER]\n> No alert.', null, '[!OTHER]\nNo alert.'],
  ['> `[!NOTE]` in code', null, '[!NOTE] in code'],
])('the quote %j has the title %j', (text, title, said) => {
  const [node] = parseMarkdown(text).children;
  if (node?.type !== 'blockquote') throw new Error('not a quote');
  const parts = quoteParts(node);
  expect([parts.title, parts.children.map(wordsOf).join()]).toEqual([title, said]);
});
