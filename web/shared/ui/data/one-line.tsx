import styles from './one-line.module.css';

/** Text that stays on one line. What does not fit is cut off, and the whole text is shown on hover. */
export function OneLine({ text, title = text }: { readonly text: string; readonly title?: string }) {
  return (
    <bdi className={styles.line} title={title}>
      {text}
    </bdi>
  );
}
