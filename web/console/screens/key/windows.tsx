import { useInfiniteQuery } from '@tanstack/react-query';
import { Time } from '../../../shared/ui/data/time.tsx';
import { OwnCountsOnly, WindowCard } from '../../../shared/ui/data/window-card.tsx';
import type { Usage } from '../../api/keys.ts';
import { bansQuery } from '../../api/bans.ts';
import { SHORT_PAGE, Why } from '../../parts/keys/ban-list.tsx';
import styles from '../../../shared/ui/data/window-card.module.css';

/** All windows of a key, and its ban. */
export function Windows({ usage, quotaId }: { readonly usage: Usage; readonly quotaId: string }) {
  return (
    <div className={styles.windows}>
      {usage.windows.map((window) => (
        <WindowCard key={window.name} window={window} />
      ))}
      {usage.degraded === true && <OwnCountsOnly />}
      {usage.ban !== null && <BanCard ban={usage.ban} quotaId={quotaId} />}
    </div>
  );
}

function BanCard({ ban, quotaId }: { readonly ban: NonNullable<Usage['ban']>; readonly quotaId: string }) {
  const record = useInfiniteQuery(bansQuery({ key: quotaId }, SHORT_PAGE))
    .data?.pages.flatMap(({ items }) => items)
    .find(({ status }) => status === 'active');
  return (
    <div className={`${styles.card} ${styles.ban}`}>
      <div className={styles.name}>
        {ban.manual
          ? 'Banned by an operator'
          : `Banned automatically${ban.level > 1 ? ` (ban ${ban.level} in a row; each is longer)` : ''}`}
      </div>
      {record !== undefined && (
        <div>
          <Why ban={record} />
        </div>
      )}
      <p className={styles.words}>
        {ban.manual && record !== undefined && (
          <>
            By <bdi>{record.actor}</bdi>.{' '}
          </>
        )}
        Began <Time at={ban.from} />, ends <Time at={ban.until} />.
      </p>
    </div>
  );
}
