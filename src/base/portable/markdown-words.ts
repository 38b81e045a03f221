/**
 * Reads parts of Markdown as plain text, for titles and summaries. Each function takes time in proportion to the length
 * of the text, whatever the text is.
 */

/** The title in a line such as `## Limits` or `## Limits ##` (CommonMark, 4.2); null if the line is no heading. */
export function headingIn(line: string): string | null {
  const [marks] = /^ {0,3}#{1,6}[ \t]+/.exec(line) ?? [];
  if (marks === undefined) return null;
  const title = line.slice(marks.length).trimEnd();
  let end = title.length;
  while (title[end - 1] === '#') end--;
  if (end === 0) return '';
  // In "C#", the mark belongs to the title.
  return /\s/.test(title[end - 1]!) ? title.slice(0, end).trimEnd() : title;
}

/** The text with each link and image replaced by its words. A link with brackets in its words is left unchanged. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1');
}
