import { useMemo } from 'react';
import { findMarkdownFault } from '../../../src/base/portable/markdown-bounds.ts';
import { lazyPart } from '../../shared/behavior/lazy-part.tsx';
import styles from './markdown.module.css';
import { isPlain } from './plain.ts';
import type { MarkdownProps } from './rendered-markdown.tsx';

/** The parser is loaded on demand, because it is large and most descriptions of fields are plain text. */
const Rendered = lazyPart(async () => (await import('./rendered-markdown.tsx')).RenderedMarkdown, Source);

/**
 * Renders Markdown from a document. It stays plain text until the parser is loaded, and if parsing would take too long.
 */
export function Markdown(props: MarkdownProps) {
  const isSource = useMemo(() => isPlain(props.text) || findMarkdownFault(props.text) !== null, [props.text]);
  return isSource ? <Source {...props} /> : <Rendered {...props} />;
}

function Source({ text }: MarkdownProps) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return (
    <div className={styles.markdown}>
      {paragraphs.map((paragraph, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a paragraph is identified only by its place in the text
        <p key={index}>{paragraph.replaceAll(/[`*]/g, '')}</p>
      ))}
    </div>
  );
}
