import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { splitSections } from '../../markdown/sections.ts';
import { guideParts } from './guide-parts.ts';

const block = (title: string) => `${title}:\n\n\`\`\`x\n${title} code\n\`\`\``;

test('code in several languages is one part, between the texts around it', () => {
  const text = `Before.\n\n${block('Python')}\n\n${block('JavaScript (Node)')}\n\n${block('Go')}\n\nAfter.`;
  expect(guideParts(text)).toEqual([
    { kind: 'text', text: 'Before.\n\n' },
    {
      kind: 'code',
      blocks: [
        { title: 'Python', text: 'Python code' },
        { title: 'JavaScript (Node)', text: 'JavaScript (Node) code' },
        { title: 'Go', text: 'Go code' },
      ],
    },
    { kind: 'text', text: 'After.' },
  ]);
});

test.each([
  ['one language', `${block('Go')}\n\nAfter.`],
  ['other titles', `${block('Request')}\n\n${block('Response')}`],
  ['text between them', `${block('Go')}\n\nAnd:\n\n${block('PHP')}`],
])('%s is text', (_, text) => {
  expect(guideParts(text)).toEqual([{ kind: 'text', text }]);
});

test('the guides have code to retry in every language, and to verify webhooks in all but curl', () => {
  const consumers = splitSections(readFileSync(join(import.meta.dirname, '../../../../docs/consumers.md'), 'utf8'));
  const titles = [...consumers.values()].flatMap((text) =>
    guideParts(text).flatMap((part) => (part.kind === 'code' ? [part.blocks.map(({ title }) => title)] : [])),
  );
  const others = ['Python', 'Go', 'Java', 'C#', 'Ruby', 'PHP'];
  expect(titles).toEqual([
    ['curl', 'JavaScript', ...others],
    ['JavaScript (Node)', ...others],
  ]);
});
