import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './gateway/gateway.ts';

/** The paths of all documents, relative to the root of the repository. */
export const documents: readonly string[] = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'clients/*.md'], {
  cwd: root,
}).sort();

export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Reads the code block after a line of a document, such as the output of the command in that line. */
export function readOutput(path: string, line: string): string {
  const [, output] = readDocument(path).split(line);
  if (output === undefined) throw new Error(`${path} does not have ${line}`);
  return output.slice(0, output.indexOf('```'));
}

/** Reads the rows (lists of cells) of the first table after `section` whose first column has this heading. */
export function readTableRows(path: string, heading: string, section = ''): string[][] {
  const lines = tableLines(path, heading, section);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map(parseCells);
}

/** Reads the column headings of the first table after `section` whose first column has this heading. */
export function readTableHeadings(path: string, heading: string, section = ''): string[] {
  return parseCells(tableLines(path, heading, section)[0] ?? '');
}

function tableLines(path: string, heading: string, section: string): string[] {
  const whole = readDocument(path);
  const text = whole.slice(whole.indexOf(section));
  const from = text.indexOf(`| ${heading} `);
  if (from === -1) throw new Error(`${path} has no table of ${heading}`);
  return text.slice(from).split('\n');
}

function parseCells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
