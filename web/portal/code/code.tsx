import { type ComponentType, type ReactNode, useMemo } from 'react';
import { highlight } from './highlight.ts';
import styles from './code.module.css';

/** Values that are missing from code, which has `{name}` in their place. */
export interface Placeholders {
  readonly names: readonly string[];
  readonly Placeholder: ComponentType<{ readonly name: string }>;
}

interface Props {
  readonly text: string;
  readonly language: 'json' | 'code';
  readonly placeholders?: Placeholders | undefined;
}

/**
 * Shows code in color. Each token is an element with a class, because the content security policy allows no inline
 * styles.
 */
export function Code({ text, language, placeholders }: Props) {
  const tokens = useMemo(() => highlight(text, language), [text, language]);
  return tokens.map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a token is identified only by its place in the text
      <span key={index} className={styles[kind]}>
        {placeholders === undefined ? part : withPlaceholders(part, placeholders)}
      </span>
    ),
  );
}

function withPlaceholders(text: string, { names, Placeholder }: Placeholders): readonly ReactNode[] {
  return text
    .split(/(\{[^{}]*\})/)
    .map((part) => (names.includes(part.slice(1, -1)) ? <Placeholder key={part} name={part.slice(1, -1)} /> : part));
}
