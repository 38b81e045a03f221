import { expect, test } from '@jest/globals';
import { findDefinitions, parseMarkdown, quoteParts } from './parse.ts';
import { extractText } from './headings.ts';
import { safeAddress } from './safe-address.ts';

/** Descriptions come from documents that others write, so nothing in them may run in a consumer's session. */
test.each([
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['vbscript:x', null],
  ['ms-\tmsdt:/id', null],
  ['\tjavascript:alert(1)', null],
  [' javascript:alert(1)', null],
  ['java\nscript:alert(1)', null],
  ['\u0000ms-msdt:/id', null],
  ['\u001fms-msdt:/id', null],
  ['search-ms:query', null],
  ['file:///etc/passwd', null],
  ['blob:https://example.com/a', null],
  ['https://[', null],
  ['HTTPS://example.com/a b', 'HTTPS://example.com/a b'],
  ['//example.com/a', '//example.com/a'],
  ['?q=a:b', '?q=a:b'],
  ['a/b:c', 'a/b:c'],
  ['https://example.com/a', 'https://example.com/a'],
  ['mailto:dev@example.com', 'mailto:dev@example.com'],
  ['/pets', '/pets'],
  ['#/docs/errors', '#/docs/errors'],
  ['errors.md', 'errors.md'],
  ['', null],
])('a link to %j leads to %j', (url, address) => {
  expect(safeAddress(url)).toBe(address);
});

test('a scheme with a tab written as an entity is no link', () => {
  const [paragraph] = parseMarkdown('[run](ms-&Tab;msdt:/id)').children;
  const [link] = paragraph?.type === 'paragraph' ? paragraph.children : [];
  if (link?.type !== 'link') throw new Error('not a link');
  expect([link.url, safeAddress(link.url)]).toEqual(['ms-\tmsdt:/id', null]);
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
  expect(findDefinitions(root).get('y')?.url).toBe('https://example.com');
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
  expect([parts.title, parts.children.map(extractText).join()]).toEqual([title, said]);
});
