import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { splitSections } from '../../markdown/sections.ts';
import { guideAddress, GUIDES, teamPageAddress, searchedGuides } from './guides.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const consumers = readFileSync(join(docs, 'consumers.md'), 'utf8');

/** The guides consist of sections from the documentation, so this fails if a section is added or renamed there. */
test('every section for consumers is in exactly one guide', () => {
  const wanted = [...splitSections(consumers).keys()].toSorted();
  const shown = Object.values(GUIDES)
    .flatMap(({ sections }) => sections)
    .toSorted();
  expect(shown).toEqual(wanted);
});

test('no two sections of a guide have the same address', () => {
  for (const { href, sections } of searchedGuides(splitSections(consumers))) {
    const ids = [...sections.map(({ id }) => id), ...(href === '/docs/errors' ? ['error-codes'] : [])];
    expect([href, ids.filter((id) => /-\d+$/.test(id) || ids.indexOf(id) !== ids.lastIndexOf(id))]).toEqual([href, []]);
  }
});

test.each([
  ['errors.md', { page: '/docs/errors' }],
  ['errors.md#key_banned', { page: '/docs/errors', section: 'key_banned' }],
  ['https://www.rfc-editor.org/rfc/rfc9745', { href: 'https://www.rfc-editor.org/rfc/rfc9745' }],
  ['operators/keys.md', null],
  ['javascript:alert(1)', null],
])('%s leads to %j', (url, address) => {
  expect(guideAddress(url)).toEqual(address);
});

test.each([
  ['quick-start.md', { page: '/pages/quick-start' }],
  ['./quick-start.md#first-steps', { page: '/pages/quick-start', section: 'first-steps' }],
  ['#first-steps', { page: '.', section: 'first-steps' }],
  ['#%C3%BCber-uns', { page: '.', section: 'über-uns' }],
  ['#%', { page: '.' }],
  ['/docs/limits#bans', { page: '/docs/limits', section: 'bans' }],
  ['//elsewhere.example#x', null],
  ['https://example.com/a#b', { href: 'https://example.com/a#b' }],
  ['javascript:alert(1)#x', null],
])('%s in a page of the team leads to %j', (url, address) => {
  expect(teamPageAddress(url)).toEqual(address);
});
