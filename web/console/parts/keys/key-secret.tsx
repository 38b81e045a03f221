import type { Key } from '../../api/keys.ts';
import styles from './key-secret.module.css';

/** Which secret a key has: the beginning and the end of it. Many keys have the same name. */
export function KeySecret({ apiKey: { prefix, lastFour } }: { readonly apiKey: Pick<Key, 'prefix' | 'lastFour'> }) {
  const shown = `${prefix}…${lastFour}`;
  return (
    <code className={styles.secret} title={shown}>
      {shown}
    </code>
  );
}
