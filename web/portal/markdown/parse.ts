import type { Blockquote, Definition, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Parses Markdown (CommonMark with tables) into a tree. HTML in it becomes a text node, never markup. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
}

/** The targets of `[text][name]`, by name. */
export function findDefinitions(root: Root): ReadonlyMap<string, Definition> {
  const definitions = root.children.filter((node) => node.type === 'definition');
  return new Map(definitions.map((node) => [node.identifier, node]));
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

interface QuoteParts {
  /** Null: a quote that is no alert. */
  readonly title: string | null;
  readonly children: readonly RootContent[];
}

/** A quote that begins with `[!NOTE]` or similar is an alert, as on GitHub: its title and its content. */
export function quoteParts({ children }: Blockquote): QuoteParts {
  const [paragraph, ...others] = children;
  const [text, ...rest] = paragraph?.type === 'paragraph' ? paragraph.children : [];
  const [mark, kind = ''] = text?.type === 'text' ? (ALERT.exec(text.value) ?? []) : [];
  if (mark === undefined || text?.type !== 'text') return { title: null, children };
  const said = { ...text, value: text.value.slice(mark.length) };
  const first =
    said.value === '' && rest.length === 0 ? [] : [{ type: 'paragraph' as const, children: [said, ...rest] }];
  return { title: kind.charAt(0) + kind.slice(1).toLowerCase(), children: [...first, ...others] };
}
