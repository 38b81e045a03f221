import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMarkdown } from './parse.ts';
import { isPlain } from './plain.ts';

test.each(['The name of the pet.', 'From 1 to 5 (inclusive), e.g. 3 - or "none".', 'Über $5!'])(
  '%j is plain',
  (text) => {
    expect(isPlain(text)).toBe(true);
  },
);

test.each(['a *b*', '- a', '1. a', '# a', 'a\nb', '    a', '&lt;', '[a](b)', '`a`', '---', '+ a', '===', '2) a'])(
  '%j is not plain',
  (text) => {
    expect(isPlain(text)).toBe(false);
  },
);

test('the parser makes one paragraph of a plain text, and changes nothing in it', () => {
  const character = fc.constantFrom(...'ab 1.)-+=*_`~<>[]\\&|#!:\t\n"\'/@'.split(''));
  fc.assert(
    fc.property(fc.string({ unit: character, minLength: 1, maxLength: 12 }), (text) => {
      if (!isPlain(text) || text.trim() === '') return;
      expect(parseMarkdown(text)).toMatchObject({
        children: [{ type: 'paragraph', children: [{ type: 'text', value: text.trim() }] }],
      });
    }),
    { numRuns: 2000 },
  );
});
