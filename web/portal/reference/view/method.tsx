import styles from './method.module.css';

/** Shows the method of an operation in a muted color. */
export function Method({ method, short = false }: { readonly method: string; readonly short?: boolean }) {
  return (
    <span className={styles.method} data-method={method} title={short ? method : undefined}>
      {short ? (SHORT[method] ?? method) : method}
    </span>
  );
}

/** Shorter names of methods, for narrow lists. */
const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT' };
