import { parseHeading, withoutLinks } from '../../../src/base/portable/markdown-words.ts';
import type { Nodes } from 'mdast';

/** Returns a function that creates the anchors of a page's headings, like GitHub: a second "Limits" gets `limits-1`. */
export function createHeadingIds(): (title: string) => string {
  // The id `root` is taken by the element that contains all pages.
  const used = new Map([['root', 1]]);
  return function idOf(title) {
    const id = headingId(title);
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

export function headingId(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '');
  return words.trim() === '' ? 'section' : words.trim().replaceAll(' ', '-');
}

/** Extracts the text of a node, without its markup. */
export function extractText(node: Nodes): string {
  if ('children' in node) return node.children.map(extractText).join('');
  if (node.type === 'image') return node.alt ?? '';
  return node.type === 'text' || node.type === 'inlineCode' ? node.value : '';
}

export interface TextSection {
  /** The anchor of the section. Empty for the text above the first heading. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Splits a text into sections, with the anchors that their headings have on the page. */
export function textSections(markdown: string): readonly TextSection[] {
  const idOf = createHeadingIds();
  const sections: TextSection[] = [];
  let [id, title, lines, fence] = ['', '', [] as string[], ''];
  const close = () => sections.push({ id, title, text: lines.join('\n') });
  for (const line of markdown.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const heading = fence === '' ? (parseHeading(line) ?? findUnderlined(line, lines)) : null;
    if (heading === null) lines.push(line);
    else {
      close();
      title = withoutMarkup(heading);
      [id, lines] = [idOf(title), []];
    }
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
  }
  close();
  return sections;
}

/**
 * Finds a heading that is marked by a line of `=` or `-` below it, and removes it from the lines above. Null if the
 * line is no such mark.
 */
function findUnderlined(line: string, above: string[]): string | null {
  if (!/^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) return null;
  const start = above.findLastIndex((each) => each.trim() === '') + 1;
  const paragraph = above.slice(start);
  if (paragraph.length === 0 || paragraph.some((each) => IN_BLOCK.test(each))) return null;
  above.splice(start);
  return paragraph.map((each) => each.trim()).join('\n');
}

/** Matches a line of a list, a quote, a table, or fenced or indented code. */
const IN_BLOCK = /^ {0,3}(?:[-*+>|`~]|\d+[.)] )|^(?: {4}|\t)/;

function withoutMarkup(title: string): string {
  return withoutLinks(title)
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, '')
    .trim();
}
