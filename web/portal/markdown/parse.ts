import type { Definition, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Markdown (CommonMark, with tables) as a tree. HTML in it becomes a text node, never markup. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
}

/** The targets of `[text][name]`, by name. */
export function definitionsOf(root: Root): ReadonlyMap<string, Definition> {
  const definitions = root.children.filter((node) => node.type === 'definition');
  return new Map(definitions.map((node) => [node.identifier, node]));
}
