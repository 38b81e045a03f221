import styles from './change-list.module.css';

interface Props {
  readonly changes: readonly { readonly what: string; readonly from: string; readonly to: string }[];
}

/** Lists the changes that a form is about to make. */
export function ChangeList({ changes }: Props) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Changes">
      {changes.map(({ what, from, to }) => (
        <li key={what}>
          <bdi>{what}</bdi>: <bdi className={styles.from}>{from}</bdi> → <bdi>{to}</bdi>
        </li>
      ))}
    </ul>
  );
}
