import type { Key } from '../../api/keys.ts';
import styles from './key-secret.module.css';

/** The beginning and the end of a key's secret, because many keys have the same name. */
export function KeySecret({ apiKey: { prefix, lastFour } }: { readonly apiKey: Pick<Key, 'prefix' | 'lastFour'> }) {
  const shown = `${prefix}…${lastFour}`;
  return (
    <code className={styles.secret} title={shown}>
      {shown}
    </code>
  );
}
