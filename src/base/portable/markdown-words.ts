/**
 * Extracts plain text from Markdown, for titles and summaries. Each function takes linear time, even for a malicious
 * text.
 */

/** The title in a line such as `## Limits` or `## Limits ##` (CommonMark, 4.2); null if the line is not a heading. */
export function parseHeading(line: string): string | null {
  const [marks] = /^ {0,3}#{1,6}[ \t]+/.exec(line) ?? [];
  if (marks === undefined) return null;
  const title = line.slice(marks.length).trimEnd();
  let end = title.length;
  while (title[end - 1] === '#') end--;
  if (end === 0) return '';
  // Without a space before it, as in "C#", the mark belongs to the title.
  return /\s/.test(title[end - 1]!) ? title.slice(0, end).trimEnd() : title;
}

/** Replaces each link and image by its text. A link with brackets in its text is left unchanged. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1');
}
