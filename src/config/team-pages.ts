import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Faults } from '../base/configuration-faults.ts';
import {
  MAX_LENGTH,
  MAX_LINES,
  MAX_NESTING,
  type MarkdownFault,
  findMarkdownFault,
} from '../base/portable/markdown-bounds.ts';
import { parseHeading, withoutLinks } from '../base/portable/markdown-words.ts';
import { findTextFault } from '../base/text.ts';
import { readText } from '../base/yaml.ts';

/** A page that the operators wrote for the portal, from a file in the folder `portal.pages`. */
export interface TeamPage {
  /** The last segment of the page's URL: the file name without its extension and the digits that set the order. */
  readonly name: string;
  /** The text of the first heading. */
  readonly title: string;
  /** The text of the page without the first heading. */
  readonly markdown: string;
}

const MAX_PAGES = 50;
/** Maximum size of a file. A larger file is certainly too long, because a character takes at most three bytes. */
const MAX_PAGE_BYTES = 3 * MAX_LENGTH;
/** Maximum length of all pages together. It is limited because the portal's search loads all pages. */
const MAX_TOTAL_LENGTH = 1_000_000;
const MAX_TITLE_LENGTH = 100;

/**
 * Reads the Markdown files of a folder, in the order of their names. Adds an error for each file that cannot be used.
 *
 * @param where the file and line of the setting, for errors
 */
export function readTeamPages(folder: string, where: string, faults: Faults): readonly TeamPage[] {
  const files = listFiles(folder, where, faults);
  if (files === null) return [];
  if (files.length === 0) faults.add(where, 'portal.pages', `names ${folder}, which has no .md files: add one`);
  if (files.length > MAX_PAGES) {
    faults.add(
      where,
      'portal.pages',
      `names ${folder}, which has ${files.length} pages: at most ${MAX_PAGES} are allowed`,
    );
    return [];
  }
  const byName = new Map<string, string>();
  const pages = files.flatMap((file) => {
    const path = join(folder, file);
    const name = parsePageName(file);
    if (name === null) {
      faults.add(
        path,
        '',
        'has a name that cannot be an address: use a-z, digits and hyphens, such as 10-quick-start.md',
      );
      return [];
    }
    const otherFile = byName.get(name);
    if (otherFile !== undefined)
      faults.add(path, '', `has the same address as ${otherFile}, /pages/${name}: rename one`);
    byName.set(name, file);
    const page = readPage(path, faults);
    return page === null ? [] : [{ name, ...page }];
  });
  if (pages.reduce((sum, { markdown }) => sum + markdown.length, 0) > MAX_TOTAL_LENGTH) {
    faults.add(
      where,
      'portal.pages',
      `names ${folder}, whose pages have more than ${MAX_TOTAL_LENGTH} characters in total`,
    );
  }
  return pages;
}

/** Finds the file of each page of a folder that could be read, by the name of the page. */
export function listPageFiles(folder: string): ReadonlyMap<string, string> {
  const files = listFiles(folder, '', new Faults()) ?? [];
  return new Map(files.map((file) => [parsePageName(file) ?? '', join(folder, file)]));
}

function listFiles(folder: string, where: string, faults: Faults): string[] | null {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const advice = code === 'ENOTDIR' ? 'name a folder' : 'check the path and its permissions';
    faults.add(where, 'portal.pages', `names ${folder}, which cannot be read as a folder (${code}): ${advice}`);
    return null;
  }
  return entries
    .map(({ name }) => name)
    .filter((name) => /^[^.].*\.md$/i.test(name))
    .toSorted();
}

/** The name of the page, such as `quick-start` for `10-quick-start.md`. Null if it cannot be part of a URL. */
function parsePageName(file: string): string | null {
  const name = file.replace(/\.md$/i, '').replace(/^\d+[-_.]/, '');
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name) ? name : null;
}

function readPage(path: string, faults: Faults): Omit<TeamPage, 'name'> | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_PAGE_BYTES) {
    faults.add(path, '', UNRENDERED_MESSAGES.length);
    return null;
  }
  const text = readText(path, faults)
    ?.replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n');
  if (text === undefined) return null;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const fault = findTextFault(line);
    if (fault === null) continue;
    faults.add(`${path}:${index + 1}`, '', fault);
    return null;
  }
  const unrendered = findMarkdownFault(text);
  if (unrendered !== null) {
    const { line, kind } = unrendered;
    faults.add(kind === 'length' ? path : `${path}:${line + 1}`, '', UNRENDERED_MESSAGES[kind]);
    return null;
  }
  const heading = findFirstHeading(lines);
  if (heading === null) {
    faults.add(path, '', 'has no heading, which would be its title: begin it with a line such as "# Quick start"');
    return null;
  }
  if (heading.title.length > MAX_TITLE_LENGTH) {
    faults.add(
      `${path}:${heading.line + 1}`,
      '',
      `has a title of more than ${MAX_TITLE_LENGTH} characters: shorten it`,
    );
    return null;
  }
  return { title: heading.title, markdown: lines.toSpliced(heading.line, 1).join('\n').trim() };
}

/** Errors for pages that the portal would show as plain text, by the reason. */
const UNRENDERED_MESSAGES: Readonly<Record<MarkdownFault['kind'], string>> = {
  length: `is longer than the maximum of ${MAX_LENGTH} characters: split it into several pages`,
  lines: `is after the maximum of ${MAX_LINES} lines: split the file into several pages`,
  nesting: `is nested more than ${MAX_NESTING} levels deep: simplify it`,
  lists: 'has more list items and quotes before it than browsers can render: split the file into several pages',
  marks:
    'has more marks such as * _ [ ] < > ` ! before it than browsers can render: add empty lines between paragraphs, or split the file into several pages',
};

/** The first Markdown heading outside of code blocks. */
function findFirstHeading(lines: readonly string[]): { readonly line: number; readonly title: string } | null {
  let fence: string | null = null;
  for (const [line, text] of lines.entries()) {
    const [, mark = null] = /^ {0,3}(`{3,}|~{3,})/.exec(text) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && text.trim() === mark) fence = null;
    } else if (mark !== null) fence = mark;
    else {
      const title = parseHeading(text) ?? '';
      const plainTitle = withoutLinks(title).replaceAll(/[*`]/g, '').trim();
      if (plainTitle !== '') return { line, title: plainTitle };
    }
  }
  return null;
}
