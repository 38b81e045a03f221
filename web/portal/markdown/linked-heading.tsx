import { Link, useLocation } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import { createHeadingIds, extractText } from './headings.ts';
import styles from './linked-heading.module.css';
import type { HeadingOf } from './rendered-markdown.tsx';

interface Props {
  readonly level: number;
  /** The anchor of the heading. */
  readonly id: string;
  readonly title: string;
  /** The title with its markup. By default, the plain title. */
  readonly children?: ReactNode;
}

/** A heading with an anchor and a link to itself. It scrolls into view when the URL names its anchor. */
export function LinkedHeading({ level, id, title, children = title }: Props) {
  const ref = useRef<HTMLHeadingElement>(null);
  const isAsked = useLocation({ select: ({ hash }) => hash === id });
  const show = () => {
    ref.current?.scrollIntoView();
    ref.current?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (isAsked) show();
  }, [isAsked]);
  return (
    <div className={styles.heading}>
      {createElement(`h${level}`, { ref, id, tabIndex: -1 }, children)}
      <Link
        to="."
        hash={id}
        replace
        resetScroll={false}
        aria-label={`Link to ${title}`}
        title={`Link to ${title}`}
        // If the URL already contains the anchor, the link changes nothing, so scroll back to the heading here.
        onClick={show}
      >
        <Link2 size={14} aria-hidden />
      </Link>
    </div>
  );
}

/** Returns a function that renders headings with links. It is for a text whose page has no other text. */
export function createLinkedHeadings(): HeadingOf {
  const idOf = createHeadingIds();
  return function headingOf(node, level, children) {
    const title = extractText(node);
    return (
      <LinkedHeading level={level} id={idOf(title)} title={title}>
        {children}
      </LinkedHeading>
    );
  };
}
