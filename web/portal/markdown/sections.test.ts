import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeBlocks, splitSections } from './sections.ts';

test('a section is the text below its heading', () => {
  expect([...splitSections('# T\n\nintro\n\n## A\n\ntext\n\n### deeper\n\n## B\nmore\n')]).toEqual([
    ['A', 'text\n\n### deeper'],
    ['B', 'more'],
  ]);
});

test('a block of code gets the title above it', () => {
  const text =
    'words\n\nPython:\n\n```python\nif True:\n\n    pass\n```\n\n```\nno title\n```\n\nGo:\n\n```go\nfunc f() {}\n```\n';
  expect(codeBlocks(text)).toEqual([
    { title: 'Python', text: 'if True:\n\n    pass' },
    { title: 'Go', text: 'func f() {}' },
  ]);
});

test("the consumers' page has code that verifies webhooks in several languages", () => {
  const consumers = readFileSync(join(import.meta.dirname, '../../../docs/consumers.md'), 'utf8');
  const blocks = codeBlocks(splitSections(consumers).get('Webhooks') ?? '');
  expect(blocks.map(({ title }) => title)).toEqual(expect.arrayContaining(['JavaScript (Node)', 'Python', 'Go']));
  for (const { text } of blocks) expect(text).toMatch(/verify\(/i);
});
