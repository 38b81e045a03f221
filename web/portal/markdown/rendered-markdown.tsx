import type { AlignType, Blockquote, Definition, Heading, PhrasingContent, RootContent, Table } from 'mdast';
import { Link } from '@tanstack/react-router';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { CopyIcon } from '../../shared/ui/controls/copy.tsx';
import { BreakableCode } from '../../shared/ui/data/breakable-code.tsx';
import { ScrollBox } from '../../shared/ui/data/scroll-box.tsx';
import { Code } from '../code/code.tsx';
import styles from './markdown.module.css';
import { findDefinitions, parseMarkdown, quoteParts } from './parse.ts';
import { type LinkTarget, safeTarget } from './safe-address.ts';

interface Context {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The level of the highest heading on the page. */
  readonly level: number;
  readonly addressOf: (url: string) => LinkTarget | null;
  /** The code in the first cell of a table's row. This row is highlighted and scrolled into view. */
  readonly shownRow: string | undefined;
  readonly headingOf: HeadingOf;
}

/**
 * Renders a heading. Called for the headings of a text in their order.
 *
 * @param level from 1 to 6
 */
export type HeadingOf = (node: Heading, level: number, children: ReactNode) => ReactNode;

export interface MarkdownProps {
  readonly text: string;
  readonly level?: number;
  /** Finds the target of a link. For null, only the text of the link is shown. */
  readonly addressOf?: (url: string) => LinkTarget | null;
  /** The code in the first cell of a table's row. This row is highlighted and scrolled into view. */
  readonly shownRow?: string | undefined;
  /** Creates the function that renders headings. Called again for each rendering of the text. */
  readonly createHeadings?: () => HeadingOf;
}

const createPlainHeadings = (): HeadingOf => (_, level, children) => createElement(`h${level}`, null, children);

/**
 * Renders Markdown from a document. HTML is shown as text. Images become links, because the pages load no images from
 * elsewhere.
 */
export function RenderedMarkdown({
  text,
  level = 3,
  addressOf = safeTarget,
  shownRow,
  createHeadings = createPlainHeadings,
}: MarkdownProps) {
  const root = useMemo(() => parseMarkdown(text), [text]);
  const headingOf = createHeadings();
  const context = { definitions: findDefinitions(root), level, addressOf, shownRow, headingOf };
  return <div className={styles.markdown}>{all(root.children, context)}</div>;
}

/**
 * Renders nodes recursively. The stack suffices, because `findMarkdownFault` refuses texts that are nested too deeply.
 */
function all(nodes: readonly RootContent[], context: Context): ReactNode {
  // A text never changes in place, so the position of a part can be its React key.
  return nodes.map((node, index) => <Fragment key={index}>{one(node, context)}</Fragment>);
}

function one(node: RootContent, context: Context): ReactNode {
  switch (node.type) {
    case 'heading':
      return context.headingOf(node, Math.min(6, context.level + node.depth - 1), all(node.children, context));
    case 'paragraph':
      return <p>{all(node.children, context)}</p>;
    case 'blockquote':
      return quote(node, context);
    case 'list':
      return createElement(node.ordered === true ? 'ol' : 'ul', null, all(node.children, context));
    case 'listItem':
      return <li>{all(node.children, context)}</li>;
    case 'code':
      return (
        <div className={styles.block}>
          <ScrollBox label="Code">
            <code>
              {isColored(node.lang) ? (
                <Code text={node.value} language={node.lang === 'json' ? 'json' : 'code'} />
              ) : (
                node.value
              )}
            </code>
          </ScrollBox>
          <CopyIcon text={node.value} label="Copy the code" />
        </div>
      );
    case 'table':
      return table(node, context);
    case 'thematicBreak':
      return <hr />;
    // Definitions render nothing. The other types occur only in tables, or belong to syntax that the parser does not
    // support.
    case 'definition':
    case 'tableRow':
    case 'tableCell':
    case 'footnoteDefinition':
    case 'yaml':
      return null;
    case 'text':
    case 'html':
    case 'inlineCode':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'break':
    case 'link':
    case 'linkReference':
    case 'image':
    case 'imageReference':
    case 'footnoteReference':
      return phrase(node, context);
    default:
      return null;
  }
}

/** A block without a language may be any text, in which an apostrophe would begin a string. */
function isColored(language: string | null | undefined): boolean {
  return language != null && language !== 'text';
}

function phrase(node: PhrasingContent, context: Context): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'html':
      return node.value.startsWith('<!--') ? null : node.value;
    case 'inlineCode':
      return (
        <code>
          <BreakableCode text={node.value} />
        </code>
      );
    case 'emphasis':
      return <em>{all(node.children, context)}</em>;
    case 'strong':
      return <strong>{all(node.children, context)}</strong>;
    case 'break':
      return <br />;
    case 'link':
      return link(node.url, all(node.children, context), context);
    case 'linkReference':
      return link(context.definitions.get(node.identifier)?.url, all(node.children, context), context);
    case 'image':
      return link(node.url, node.alt ?? node.url, context);
    case 'imageReference':
      return link(context.definitions.get(node.identifier)?.url, node.alt ?? node.identifier, context);
    // The parser does not support the syntax of these types.
    case 'delete':
    case 'footnoteReference':
    default:
      return null;
  }
}

function quote(node: Blockquote, context: Context): ReactNode {
  const { title, children } = quoteParts(node);
  return (
    <blockquote>
      {title !== null && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {all(children, context)}
    </blockquote>
  );
}

function link(url: string | undefined, children: ReactNode, { addressOf }: Context): ReactNode {
  const target = url === undefined ? null : addressOf(url);
  if (target === null) return children;
  if ('page' in target) {
    return (
      <Link to={target.page} hash={target.section ?? ''}>
        {children}
      </Link>
    );
  }
  return (
    <a href={target.href} rel="noreferrer">
      {children}
    </a>
  );
}

function table({ align, children: [head, ...rows] }: Table, context: Context): ReactNode {
  if (head === undefined) return null;
  const isEmpty = head.children.every(({ children }) => children.length === 0);
  return (
    <ScrollBox as="div" label="Table" className={styles.table}>
      <table>
        {!isEmpty && <thead>{row(head, 'th', align ?? [], context)}</thead>}
        <tbody>
          {rows.map((each, index) => (
            <Fragment key={index}>{row(each, 'td', align ?? [], context)}</Fragment>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function row({ children }: Table['children'][number], cell: 'th' | 'td', align: AlignType[], context: Context) {
  const [first] = children[0]?.children ?? [];
  const isShown = first?.type === 'inlineCode' && first.value === context.shownRow;
  return (
    <tr data-shown={isShown || undefined} ref={isShown ? scrollTo : undefined}>
      {children.map((each, index) =>
        createElement(cell, { key: index, 'data-align': align[index] ?? undefined }, all(each.children, context)),
      )}
    </tr>
  );
}

function scrollTo(element: Element | null): void {
  element?.scrollIntoView({ block: 'center' });
}
