import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortenId } from '../../../shared/format/id.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import { OwnCountsOnly, WindowCard } from '../../../shared/ui/data/window-card.tsx';
import { ACCOUNT_PREFIX, type Key, keyQuery, type Usage } from '../../api/keys.ts';
import { bansQuery } from '../../api/bans.ts';
import { SHORT_PAGE_SIZE, Why } from '../../parts/keys/ban-list.tsx';
import styles from '../../../shared/ui/data/window-card.module.css';

/** Shows the current counts of a key: a card for each window, and one for its ban. */
export function Windows({ usage, apiKey }: { readonly usage: Usage; readonly apiKey: Key }) {
  const { quotaId } = apiKey;
  return (
    <>
      <SharedQuota apiKey={apiKey} />
      <div className={styles.windows}>
        {usage.windows.map((window) => (
          <WindowCard key={window.name} window={window} />
        ))}
        {usage.degraded === true && <OwnCountsOnly />}
        {usage.ban !== null && <BanCard ban={usage.ban} quotaId={quotaId} />}
      </div>
    </>
  );
}

/**
 * Says that the key shares its quota, which explains why a key that was never used may have used some of its limits.
 */
function SharedQuota({ apiKey: { id, owner, quotaId, rotatedTo } }: { readonly apiKey: Key }) {
  if (quotaId.startsWith(ACCOUNT_PREFIX)) {
    return (
      <p className={styles.words}>
        Shared by all keys that{' '}
        <Link to="/owners/$owner" params={{ owner }}>
          the account
        </Link>{' '}
        created in the portal.
      </p>
    );
  }
  const other = rotatedTo ?? (quotaId === id ? null : quotaId);
  if (other === null) return null;
  return (
    <p className={styles.words}>
      Shared with the {rotatedTo === null ? 'older' : 'newer'} secret <SecretLink id={other} />, because the key was
      rotated.
    </p>
  );
}

function SecretLink({ id }: { readonly id: string }) {
  const key = useQuery({ ...keyQuery(id), staleTime: MINUTE_MS }).data;
  return (
    <Link to="/keys/$id" params={{ id }}>
      <code>{key === undefined ? shortenId(id) : formatKeyPreview(key)}</code>
    </Link>
  );
}

function BanCard({ ban, quotaId }: { readonly ban: NonNullable<Usage['ban']>; readonly quotaId: string }) {
  const record = useInfiniteQuery(bansQuery({ key: quotaId }, SHORT_PAGE_SIZE))
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
