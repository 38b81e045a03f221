import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../shared/format/number.ts';
import { periodFrom } from '../../../shared/traffic/period.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { historyQuery } from '../../api/history/history.ts';
import type { Key } from '../../api/keys.ts';

const LAST_DAY = periodFrom({ period: '24h' });

/** Whether anybody depends on a key, before its calls are refused. */
export function KeyUse({ apiKey: { id, lastUsedAt } }: { readonly apiKey: Key }) {
  const calls = useQuery(historyQuery(LAST_DAY, { key: id })).data?.series[0]?.totals.requests ?? 0;
  // Counts are stored before the time of the last use is.
  if (lastUsedAt === null && calls === 0) return <Note>This key has never been used.</Note>;
  return (
    <Note tone={calls > 0 ? 'refused' : 'neutral'}>
      {lastUsedAt !== null && (
        <>
          Last used <Time at={lastUsedAt} />,{' '}
        </>
      )}
      <strong>{plural(calls, 'call')}</strong> in 24 h.
    </Note>
  );
}
