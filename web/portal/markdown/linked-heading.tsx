import { Link, useLocation } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import { createHeadingIds, extractText } from './headings.ts';
import styles from './linked-heading.module.css';
import type { HeadingOf } from './rendered-markdown.tsx';

interface Props {
  readonly level: number;
  /** The anchor on the page. */
  readonly id: string;
  readonly title: string;
  /** The title with its markup. */
  readonly children?: ReactNode;
}

/**
 * A heading with an anchor, and a link beside it that puts the anchor into the URL. Scrolls into view if the URL names
 * it.
 */
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
        // The URL may already contain the anchor, while the user has scrolled away.
        onClick={show}
      >
        <Link2 size={14} aria-hidden />
      </Link>
    </div>
  );
}

/** Headings of a text that is the only one on its page. */
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
