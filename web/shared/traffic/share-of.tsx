import { TriangleAlert } from 'lucide-react';
import { formatShare } from '../format/number.ts';
import styles from './traffic.module.css';
import type { UsageTotals } from './usage-history.ts';

/** Larger shares are highlighted. */
const HIGH_SHARE = 0.1;
/** For larger shares, most requests have failed, which is highlighted more strongly. */
const MAJORITY_SHARE = 0.5;

interface Props {
  readonly part: number;
  readonly of: number;
  readonly what: 'refused' | 'clientErrors' | 'errors';
}

/** Formats a share of the requests. Zero is muted, and a high share is highlighted. */
export function ShareOf({ part, of, what }: Props) {
  if (part === 0) return <span className={styles.none}>{formatShare(part, of)}</span>;
  const isMost = what !== 'refused' && part / of >= MAJORITY_SHARE;
  if (part / of < HIGH_SHARE) return <span>{formatShare(part, of)}</span>;
  return (
    <span className={isMost || what === 'errors' ? styles.failing : styles.high}>
      {isMost && <TriangleAlert size={12} strokeWidth={2.4} aria-hidden />}
      {formatShare(part, of)}
    </span>
  );
}

type Totals = Pick<UsageTotals, 'requests' | 'clientErrors' | 'errors'>;

/**
 * Shows the shares of failed requests on phones, which have no room for separate columns. Renders nothing if none
 * failed.
 */
export function Failures({ totals: { requests, clientErrors, errors } }: { readonly totals: Totals }) {
  if (clientErrors + errors === 0) return null;
  return (
    <span className={styles.onPhones}>
      <ShareOf what="clientErrors" part={clientErrors} of={requests} /> 4xx,{' '}
      <ShareOf what="errors" part={errors} of={requests} /> errors
    </span>
  );
}
