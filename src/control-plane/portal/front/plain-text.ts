import { withoutLinks } from '../../../base/portable/markdown-words.ts';

/** Extracts the first paragraph of a Markdown text as plain text. Returns an empty text if there is none. */
export function extractFirstParagraph(markdown: string, maxLength: number): string {
  // Only the beginning is searched, because a description can have megabytes.
  const blocks = markdown.slice(0, SEARCHED_LENGTH).split(/\n[ \t]*\n/);
  const paragraph = blocks.find((block) => /^\s*[^\s#<>|`=-]/.test(block)) ?? '';
  return shorten(removeMarkup(paragraph).replaceAll(/\s+/g, ' ').trim(), maxLength);
}

const SEARCHED_LENGTH = 10_000;

function removeMarkup(text: string): string {
  return withoutLinks(text)
    .replaceAll(/<\/?[a-z][^<>\n]*>/gi, '')
    .replaceAll(/[*`]/g, '');
}

/** Shortens a text by cutting it between two words. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const shortText = text.slice(0, maxLength - 1);
  const end = shortText.lastIndexOf(' ');
  return `${(end === -1 ? shortText : shortText.slice(0, end)).toWellFormed()}…`;
}
