import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sectionsOf } from '../../markdown/sections.ts';
import { guideAddress, GUIDES } from './guides.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const consumers = readFileSync(join(docs, 'consumers.md'), 'utf8');

/** The guides come from the documentation: this fails if a section is added or renamed without a guide. */
test('every section for consumers is in exactly one guide', () => {
  const wanted = [...sectionsOf(consumers).keys()].toSorted();
  const shown = Object.values(GUIDES)
    .flatMap(({ sections }) => sections)
    .toSorted();
  expect(shown).toEqual(wanted);
});

test.each([
  ['errors.md', { page: '/docs/errors' }],
  ['https://www.rfc-editor.org/rfc/rfc9745', { href: 'https://www.rfc-editor.org/rfc/rfc9745' }],
  ['operators/keys.md', null],
  ['javascript:alert(1)', null],
])('%s leads to %j', (url, address) => {
  expect(guideAddress(url)).toEqual(address);
});
