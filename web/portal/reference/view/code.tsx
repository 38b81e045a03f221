import { useMemo } from 'react';
import { highlight } from '../code/highlight.ts';
import styles from './code.module.css';

interface Props {
  readonly text: string;
  readonly language: 'json' | 'code';
}

/**
 * Shows code in color. Each token is an element with a class, because the content security policy allows no inline
 * styles.
 */
export function Code({ text, language }: Props) {
  const tokens = useMemo(() => highlight(text, language), [text, language]);
  return tokens.map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a token is identified only by its place in the text
      <span key={index} className={styles[kind]}>
        {part}
      </span>
    ),
  );
}
