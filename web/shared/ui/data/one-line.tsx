import styles from './one-line.module.css';

/** Text on a single line. Text that does not fit is cut off and shown in full on hover. */
export function OneLine({ text, title = text }: { readonly text: string; readonly title?: string }) {
  return (
    <bdi className={styles.line} title={title}>
      {text}
    </bdi>
  );
}
