import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createHeadingIds, textSections, extractText } from './headings.ts';
import { parseMarkdown } from './parse.ts';

test.each([
  ['Rate limits', 'rate-limits'],
  ["What's new in 2.0?", 'whats-new-in-20'],
  ['Über uns', 'über-uns'],
  ['key_banned', 'key_banned'],
  ['???', 'section'],
  ['Root', 'root-1'],
])('a heading %j has the address %j', (title, id) => {
  expect(createHeadingIds()(title)).toBe(id);
});

const consumers = readFileSync(join(import.meta.dirname, '../../../docs/consumers.md'), 'utf8');
const MIXED = `intro

# A *first* one
one
## \`GET /pets\` and [a link](https://example.com)
\`\`\`sh
# no heading
\`\`\`
two
### A first one ##
three
`;

const UNDERLINED = `Über uns
===
one

Two
lines
---
- item
---
> quoted
---
    code
---
text

---
\`\`\`
Not one
---
\`\`\`
`;

/**
 * The search finds sections in the source text, but the page takes its anchors from the parsed text. Both must agree.
 */
test.each([
  ['the page for consumers', consumers],
  ['headings with markup, and code that looks like one', MIXED],
  ['headings that are underlined, and lines that are not', UNDERLINED],
])('%s has the same addresses in the search and on the page', (_, text) => {
  const idOf = createHeadingIds();
  const headings = parseMarkdown(text).children.filter((node) => node.type === 'heading');
  const sections = textSections(text).slice(1);
  expect(sections.map(({ id }) => id)).toEqual(headings.map((node) => idOf(extractText(node))));
  expect(sections.map(({ title }) => title)).toEqual(headings.map(extractText));
});

test('a section has the text below its heading', () => {
  expect(textSections(MIXED).map(({ id, text }) => [id, text.trim().split('\n').at(-1)])).toEqual([
    ['', 'intro'],
    ['a-first-one', 'one'],
    ['get-pets-and-a-link', 'two'],
    ['a-first-one-1', 'three'],
  ]);
});
