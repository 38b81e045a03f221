import type { Blockquote, Definition, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Parses Markdown (CommonMark with tables) into a tree. HTML becomes a text node, never markup. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
}

/** Collects the definitions of a text, which say where `[text][name]` leads, by name. */
export function findDefinitions(root: Root): ReadonlyMap<string, Definition> {
  const definitions = root.children.filter((node) => node.type === 'definition');
  return new Map(definitions.map((node) => [node.identifier, node]));
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

interface QuoteParts {
  /** The title of an alert. Null for an ordinary quote. */
  readonly title: string | null;
  readonly children: readonly RootContent[];
}

/**
 * Splits a quote into its title and content. Like on GitHub, a quote that begins with `[!NOTE]` or similar is an alert
 * with a title.
 */
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
