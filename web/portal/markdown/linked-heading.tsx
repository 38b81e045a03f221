import { Link, useLocation } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import { createHeadingIds, wordsOf } from './headings.ts';
import styles from './linked-heading.module.css';
import type { HeadingOf } from './rendered-markdown.tsx';

interface Props {
  readonly level: number;
  /** Its address on the page. */
  readonly id: string;
  readonly title: string;
  /** The title with its markup. */
  readonly children?: ReactNode;
}

/** A heading with an address, which a link beside it puts into the location. Shown once it is there, if it was asked for. */
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
        // The address may already refer to it, and the reader may have scrolled away.
        onClick={show}
      >
        <Link2 size={14} aria-hidden />
      </Link>
    </div>
  );
}

/** Headings of a text that is alone on its page. */
export function createLinkedHeadings(): HeadingOf {
  const idOf = createHeadingIds();
  return function headingOf(node, level, children) {
    const title = wordsOf(node);
    return (
      <LinkedHeading level={level} id={idOf(title)} title={title}>
        {children}
      </LinkedHeading>
    );
  };
}
