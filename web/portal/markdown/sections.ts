/** Splits a Markdown document into the sections below its second-level headings, by heading. */
export function splitSections(markdown: string): ReadonlyMap<string, string> {
  const [, ...parts] = markdown.split(/^## /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end + 1).trim()];
    }),
  );
}

export interface CodeBlock {
  /** The text of the line above the block, without its colon. */
  readonly title: string;
  readonly text: string;
}

/** Finds the code blocks that have a title, such as "Python:". */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks = markdown.matchAll(/^(\S.*):\n\n```\w+\n((?:(?:[^`\n].*)?\n)+)```$/gm);
  return [...blocks].map(([, title = '', text = '']) => ({ title, text: text.slice(0, -1) }));
}
