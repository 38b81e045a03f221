import { withoutLinks } from '../../../base/portable/markdown-words.ts';

/** Extracts the first paragraph of a Markdown text as plain text. Returns an empty text if there is none. */
export function firstParagraph(markdown: string, maxLength: number): string {
  // Only the beginning is searched, because a description can have megabytes.
  const blocks = markdown.slice(0, SEARCHED).split(/\n[ \t]*\n/);
  const paragraph = blocks.find((block) => /^\s*[^\s#<>|`=-]/.test(block)) ?? '';
  return shortened(withoutMarkup(paragraph).replaceAll(/\s+/g, ' ').trim(), maxLength);
}

const SEARCHED = 10_000;

function withoutMarkup(text: string): string {
  return withoutLinks(text)
    .replaceAll(/<\/?[a-z][^<>\n]*>/gi, '')
    .replaceAll(/[*`]/g, '');
}

/** Shortens a text by cutting it between two words. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end === -1 ? cut : cut.slice(0, end)).toWellFormed()}…`;
}
