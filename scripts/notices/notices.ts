import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Notice {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of the license. */
  readonly license: string;
  readonly text: string;
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.].*)?$/i;
/** A notice has to be distributed with the license (Apache 2.0, section 4d). */
const NOTICE_FILE = /^notice(?:[-.].*)?$/i;

interface LicensePlace {
  readonly file: string;
  /** The lines before and after the text. By default, the text is the whole file. */
  readonly after?: string;
  readonly before?: string;
}

/** Packages whose license is not exactly the content of a license file. */
const LICENSE_PLACES: Readonly<Record<string, LicensePlace>> = {
  // These packages have the license only in the README.
  'pg-types': { file: 'README.md', after: '## license' },
  pgpass: { file: 'README.md', after: '## License' },
  // The README of this package says that the repository's license applies. Another package of the repository has that
  // license.
  '@scalar/openapi-types': { file: '../openapi-upgrader/LICENSE' },
  // The rest of the file is about packages inside Vite's own program. The pages do not contain these packages.
  vite: { file: 'LICENSE.md', before: '# Licenses of bundled dependencies' },
};

/**
 * Reads the texts that have to be distributed with a package.
 *
 * @throws Error if the package names no license, or has no text of the license
 */
export function readNotice(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Notice>;
  if (name === undefined || version === undefined) throw new Error(`${folder}: package.json has no name or version`);
  const createError = (what: string) =>
    new Error(`${name} ${version} ${what}: see ${folder}, and ELSEWHERE in ${import.meta.filename}`);
  if (typeof license !== 'string') throw createError('names no license');
  const place = LICENSE_PLACES[name];
  const texts = place === undefined ? readTexts(folder, LICENSE_FILE) : [readPart(folder, place)];
  if (texts.every((text) => text === '')) throw createError('has no text of its license');
  return { name, version, license, text: [...texts, ...readTexts(folder, NOTICE_FILE)].join('\n\n') };
}

function readTexts(folder: string, files: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && files.test(entry.name))
    .map(({ name }) => name)
    .sort(compareByCode)
    .map((file) => readText(folder, file));
}

/** Reads a license from a part of a file. Returns an empty text if the file no longer has one of the two lines. */
function readPart(folder: string, { file, after, before }: LicensePlace): string {
  const lines = readText(folder, file).split('\n');
  const start = after === undefined ? 0 : lines.indexOf(after) + 1;
  const end = before === undefined ? lines.length : lines.indexOf(before);
  const isWhole = (after === undefined || start > 0) && end !== -1;
  return isWhole ? lines.slice(start, end).join('\n').trim() : '';
}

function readText(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

const RULE = '='.repeat(80);

/**
 * Writes a document with all notices. Packages with the same text share one section.
 *
 * @param intro a sentence that says what the packages are part of
 */
export function writeNotices(intro: string, notices: readonly Notice[]): string {
  const listTitles = (group: readonly Notice[]) => [...new Set(group.map(formatTitle))].sort(compareByCode);
  const list = listTitles(notices).map((title) => `  ${title}`);
  const sections = Map.groupBy(notices, ({ text }) => text)
    .entries()
    .map(([text, group]) => [RULE, ...listTitles(group), RULE, '', text, ''].join('\n'));
  return [intro, '', ...list, '', ...[...sections].sort(compareByCode)].join('\n');
}

function formatTitle({ name, version, license }: Notice): string {
  return `${name} ${version} (${license})`;
}

/** Compares by code, so that the order does not depend on the locale of the machine. */
function compareByCode(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
