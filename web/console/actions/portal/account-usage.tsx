import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import type { UsageHistory } from '../../../shared/traffic/usage-history.ts';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import { historyQuery } from '../../api/history/history.ts';
import { type Usage, keysQuery } from '../../api/keys.ts';
import styles from './decide-dialog.module.css';

const PERIOD = readPeriod({ period: '30d' });
/** Enough for all outcomes, so that none is summed up under "others". */
const MAX_OUTCOMES = 50;
const NOW = { minute: 'this minute', day: 'today', month: 'this month' };
/** Codes of refusals that another plan may prevent. */
const LIMITS = {
  rate_limit_exceeded: 'by the limit per minute',
  quota_exceeded: 'by the limit per day or month',
  key_banned: 'during a ban',
};

/** Shows which limits an account reaches. */
export function AccountUsage({ id, owner }: { readonly id: string; readonly owner: string }) {
  const keys = useInfiniteQuery(keysQuery({ owner, status: 'active' }));
  const history = useQuery(historyQuery(PERIOD, { owner }, 'outcome', MAX_OUTCOMES));
  const failure = keys.error ?? history.error;
  if (failure !== null) return <Note tone="refused">Cannot show the usage: {failure.message}</Note>;
  if (keys.data === undefined || history.data === undefined) return <Loading rows={2} label="Loading the usage" />;
  // All keys that the account created share one quota, so that any of them shows its usage.
  const key = keys.data.pages.flatMap(({ items }) => items).find(({ quotaId }) => quotaId === id);
  return (
    <ul className={styles.usage}>
      {key === undefined && !keys.hasNextPage && <li>Now: no active key from the portal</li>}
      {key?.usage != null && <li>Now: {windowsInWords(key.usage)}</li>}
      <li>
        All keys of <bdi>{owner}</bdi> {PERIOD.words}: {historyInWords(history.data)}
      </li>
    </ul>
  );
}

function windowsInWords({ windows }: Pick<Usage, 'windows'>): string {
  return windows
    .map(({ name, used, limit }) => `${formatCount(used)} of ${formatCount(limit)} ${NOW[name]}`)
    .join(', ');
}

function historyInWords({ series, others }: UsageHistory): string {
  const requests = series.reduce((sum, { totals }) => sum + totals.requests, others?.requests ?? 0);
  if (requests === 0) return 'no requests';
  const refusals = Object.entries(LIMITS).flatMap(([code, words]) => {
    const refused = series.find(({ group }) => group === code)?.totals.requests ?? 0;
    return refused === 0 ? [] : [`${formatCount(refused)} ${words}`];
  });
  const refused = refusals.length === 0 ? 'none refused by a limit' : `refused: ${refusals.join(', ')}`;
  return `${pluralize(requests, 'request')}, at most ${pluralize(busiestDay(series), 'unit')} charged in a day; ${refused}`;
}

function busiestDay(series: UsageHistory['series']): number {
  const days = new Map<string, number>();
  for (const { at, units } of series.flatMap(({ points }) => points)) days.set(at, (days.get(at) ?? 0) + units);
  return Math.max(0, ...days.values());
}
