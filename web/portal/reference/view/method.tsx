import styles from './method.module.css';

/** The method of an operation, in a quiet color of its own. */
export function Method({ method, short = false }: { readonly method: string; readonly short?: boolean }) {
  return (
    <span className={styles.method} data-method={method} title={short ? method : undefined}>
      {short ? (SHORT[method] ?? method) : method}
    </span>
  );
}

/** For narrow lists. */
const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT' };
