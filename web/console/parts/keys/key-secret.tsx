import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import type { Key } from '../../api/keys.ts';
import styles from './key-secret.module.css';

/**
 * Shows the beginning and end of a key's secret, or the caller with access tokens, because many keys have the same
 * name.
 */
export function KeySecret({ apiKey }: { readonly apiKey: Pick<Key, 'prefix' | 'lastFour' | 'token'> }) {
  const shown = formatKeyPreview(apiKey);
  return (
    <code className={styles.secret} title={shown}>
      {shown}
    </code>
  );
}
