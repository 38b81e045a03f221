import { share } from '../format/number.ts';
import styles from './traffic.module.css';

/** More than this share of the requests stands out. */
const HIGH = 0.1;

interface Props {
  readonly part: number;
  readonly of: number;
  readonly what: 'refused' | 'clientErrors' | 'errors';
}

/** A share of requests: none stays back, a high one stands out. */
export function ShareOf({ part, of, what }: Props) {
  const tone = part === 0 ? styles.none : part / of >= HIGH ? `${styles.high} ${styles[what]}` : undefined;
  return <span className={tone}>{share(part, of)}</span>;
}
