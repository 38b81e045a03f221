import type { CodeBlock } from '../../markdown/sections.ts';
import { findLanguage } from '../../reference/samples/languages.ts';

/** A part of a guide: Markdown text, or the same code in several languages. */
type GuidePart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'code'; readonly blocks: readonly CodeBlock[] };

/** Splits a guide into parts. Adjacent code blocks that have a language as their title form one part. */
export function guideParts(markdown: string): readonly GuidePart[] {
  const parts: GuidePart[] = [];
  let textStart = 0;
  for (const { blocks, start, end } of codeRuns(markdown)) {
    if (blocks.length < 2) continue;
    if (start > textStart) parts.push({ kind: 'text', text: markdown.slice(textStart, start) });
    parts.push({ kind: 'code', blocks });
    textStart = end;
  }
  if (textStart < markdown.length) parts.push({ kind: 'text', text: markdown.slice(textStart) });
  return parts;
}

interface CodeRun {
  readonly blocks: readonly CodeBlock[];
  readonly start: number;
  readonly end: number;
}

/** Finds the runs of adjacent code blocks. */
function codeRuns(markdown: string): readonly CodeRun[] {
  const runs: CodeRun[] = [];
  for (const { index: start, 0: all, 1: title = '', 2: text = '' } of markdown.matchAll(TITLED_CODE)) {
    if (findLanguage(title) === null) continue;
    const before = runs.at(-1);
    const end = start + all.length;
    if (before?.end === start) runs.splice(-1, 1, { ...before, blocks: [...before.blocks, { title, text }], end });
    else runs.push({ blocks: [{ title, text }], start, end });
  }
  return runs;
}

const TITLED_CODE = /^(\S.*):\n\n```\w+\n([^]*?)\n```\n*/gm;
