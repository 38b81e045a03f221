import { ReleaseFault } from './release-fault.ts';

/** A heading of the changelog, such as `## 2.0.0 (2026-11-30)`. */
const HEADING = /^## (\S+)(?: \((.*)\))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export interface ChangelogSection {
  readonly version: string;
  /** As in `2026-11-30`. */
  readonly date: string;
  /** Everything below the heading, without the blank lines around it. */
  readonly text: string;
}

/**
 * @param changelog the text of CHANGELOG.md
 * @returns the section of a version, which must be the first one
 * @throws ReleaseFault if the section is missing, empty, or has no date
 */
export function readChangelogSection(changelog: string, version: string): ChangelogSection {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith('## '));
  const [heading = '', found, date = ''] = HEADING.exec(lines[start] ?? '') ?? [];
  if (found !== version) {
    const what = start === -1 ? 'has no section' : `begins with "${heading || lines[start]}"`;
    throw new ReleaseFault(`CHANGELOG.md ${what}`, `begin it with "## ${version} (YYYY-MM-DD)"`);
  }
  if (!isDate(date)) {
    const what = date === '' ? 'no date' : `the date "${date}"`;
    throw new ReleaseFault(
      `CHANGELOG.md:${start + 1}: the section of ${version} has ${what}`,
      `write "## ${version} (YYYY-MM-DD)"`,
    );
  }
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const text = lines
    .slice(start + 1, end === -1 ? undefined : end)
    .join('\n')
    .trim();
  if (text === '')
    throw new ReleaseFault(`CHANGELOG.md:${start + 1}: the section of ${version} is empty`, 'say what has changed');
  return { version, date, text };
}

/** Whether a text is a day that exists, which `2026-02-30` is not. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return DATE.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * Formats a section as the notes of a release. Links into the repository become absolute, because the notes are read
 * elsewhere.
 *
 * @param fileUrl URL of the repository's files at this version, without a slash at its end; null: links stay
 */
export function formatNotes({ text }: ChangelogSection, fileUrl: string | null): string {
  if (fileUrl === null) return `${text}\n`;
  return `${text.replaceAll(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, `](${fileUrl}/$1)`)}\n`;
}
