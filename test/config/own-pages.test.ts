import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { findMarkdownFault } from '../../src/base/portable/markdown-bounds.ts';
import type { Config } from '../../src/config/config.ts';
import { ConfigInForce } from '../../src/config/in-force.ts';
import { petstore, testConfig } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
let pages: string;
beforeEach(() => {
  folder = tempFolder();
  pages = join(folder.path, 'pages');
  mkdirSync(pages);
});
afterEach(() => folder.remove());

const write = (name: string, text: string) => writeFileSync(join(pages, name), text);

function load(portal: object = {}) {
  const settings = { portal: { enabled: true, pages: 'pages', ...portal }, upstreams: [petstore] };
  return testConfig(folder.path, { settings });
}

function faults(portal?: object): string {
  try {
    load(portal);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.join('\n');
    throw error;
  }
  return '';
}

test('pages have the order of their files, and the first heading is their title', () => {
  write('20-faq.md', 'Before.\n\n```sh\n# a comment\n```\n\n## Questions & *answers* ##\r\n\r\nAfter.');
  write('10-quick-start.md', '\uFEFF# Quick start\n\nFirst.');
  write('notes.txt', 'no page');
  write('.draft.md', 'no page');
  expect(load().live.portal.pages).toEqual([
    { name: 'quick-start', title: 'Quick start', markdown: 'First.' },
    {
      name: 'faq',
      title: 'Questions & answers',
      markdown: 'Before.\n\n```sh\n# a comment\n```\n\n\nAfter.',
    },
  ]);
  expect(load({ enabled: false }).live.portal.pages).toEqual([]);
});

test.each([
  ['no heading', 'a.md', 'Text.', /a\.md: has no heading, which would be its title: begin it with/],
  ['three megabytes', 'a.md', `# A\n\n${'x '.repeat(1_500_000)}`, /a\.md: is longer than the maximum of 100000 char/],
  ['a long page', 'a.md', `# A\n\n${'x '.repeat(50_000)}`, /a\.md: is longer than .*: split it into several pages/],
  [
    'many lines',
    'a.md',
    `# A\n${'x\n'.repeat(2000)}`,
    /a\.md:2001: is after the maximum of 2000 lines: split the file/,
  ],
  ['a name that is not a valid path', 'Ünser API.md', '# A', /has a name that cannot be an address: use a-z/],
  ['deep nesting', 'a.md', `# A\n\n${'> '.repeat(1000)}deep`, /a\.md:3: is nested more than 30 levels deep/],
  ['deep nesting without spaces', 'a.md', `# A\n\n${'>'.repeat(1000)}deep`, /a\.md:3: is nested more than 30 levels/],
  ['brackets', 'a.md', `# A\n\n${'[a]('.repeat(2000)}`, /a\.md:3: has more marks such as .*: add empty lines/],
  ['a long list', 'a.md', `# A\n${'- a\n'.repeat(1900)}`, /a\.md:\d+: has more list items and quotes before it/],
  ['a long title', 'a.md', `# ${'A'.repeat(101)}`, /a\.md:1: has a title of more than 100 characters/],
  ['reversed text', 'a.md', '# A\n\n\u202Etxet', /a\.md:3: must not contain the invisible character/],
])('a page with %s is rejected as a configuration error', (_, name, text, message) => {
  write(name, text);
  expect(faults()).toMatch(message);
});

/** Pages that are accepted are rendered. Pages that would be shown as plain text are refused. */
test.each([
  ['a long line', 'word '.repeat(19_000), null],
  ['a long paragraph', 'some words\n'.repeat(1900), null],
  ['another alphabet', 'я'.repeat(99_000), null],
  ['nested lists by indentation', Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'), 'nesting'],
  ['emphasis', '*a* '.repeat(1000), 'marks'],
  ['emphasis in many paragraphs', '*a* *b*\n\n'.repeat(900), null],
])('a page with %s is accepted exactly if the portal can render it', (_, text, kind) => {
  expect(findMarkdownFault(text)?.kind ?? null).toBe(kind);
  write('a.md', `# A\n\n${text}`);
  expect(faults() === '').toBe(kind === null);
});

test('an unusable folder of pages is rejected, and the error names the setting or the file', () => {
  expect(faults()).toMatch(/gateway\.yaml:\d+: portal\.pages names .*pages, which has no \.md files: add one/);
  expect(faults({ pages: 'none' })).toMatch(/portal\.pages names .*none, which cannot be read as a folder \(ENOENT\)/);
  expect(faults({ pages: 'plans.yaml' })).toMatch(/portal\.pages names .*\((?:ENOTDIR|ENOENT)\)/);
  write('10-a.md', '# A');
  write('20-a.md', '# B');
  expect(faults()).toMatch(/20-a\.md: has the same address as 10-a\.md, \/pages\/a: rename one/);
  for (let at = 0; at < 51; at++) write(`p${at}.md`, '# A');
  expect(faults()).toMatch(/which has 53 pages: at most 50 are allowed/);
});

test('pages with more than a million characters in total are rejected', () => {
  for (let at = 0; at < 11; at++) write(`p${at}.md`, `# A\n\n${`${'x'.repeat(95)}\n`.repeat(1000)}`);
  expect(faults()).toMatch(/pages have more than 1000000 characters in total/);
});

test('a reload picks up pages that were changed, added and removed', () => {
  write('a.md', '# A\n\nOne.');
  const compare = (one: Config, other: Config) => new ConfigInForce(one).compare(other);
  const before = load();
  expect(compare(before, load()).changed).toEqual([]);
  write('a.md', '# A\n\nTwo.');
  write('b.md', '# B');
  const { changed, restart, live } = compare(before, load());
  expect([changed, restart]).toEqual([['portal.pages'], []]);
  expect(live.portal.pages.map(({ name, markdown }) => [name, markdown])).toEqual([
    ['a', 'Two.'],
    ['b', ''],
  ]);
  rmSync(join(pages, 'a.md'));
  expect(compare({ ...before, live }, load()).live.portal.pages.map(({ name }) => name)).toEqual(['b']);
});
