import { useQueries, useQuery } from '@tanstack/react-query';
import { pluralize } from '../../../shared/format/number.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import { historyQuery } from '../../api/history/history.ts';
import { type AffectedKeys, affectedKeysQuery, type Key } from '../../api/keys.ts';

const LAST_DAY = readPeriod({ period: '24h' });

interface Props {
  readonly apiKey: Key;
  /** The other keys whose calls will be refused together with those of this key. */
  readonly affected: AffectedKeys;
  /** How the other keys are related to this one, such as "that it replaced". */
  readonly others: string;
}

/** Says if this key or another affected key is in use, before their calls are refused. */
export function KeyUse({ apiKey, affected, others: which }: Props) {
  const others = useQuery(affectedKeysQuery(affected)).data?.filter(({ id }) => id !== apiKey.id);
  const keys = others === undefined ? [] : [apiKey, ...others];
  const calls = useQueries({
    queries: keys.map(({ id }) => historyQuery(LAST_DAY, { key: id })),
    combine: (results) =>
      results.some(({ data }) => data === undefined)
        ? undefined
        : results.reduce((sum, { data }) => sum + (data?.series[0]?.totals.requests ?? 0), 0),
  });
  if (others === undefined || calls === undefined) return <Loading rows={1} label="Looking up its use" />;
  const lastUsedAt = latest(keys);
  // Checks both, because counts are stored before the time of the last use.
  if (lastUsedAt === null && calls === 0) {
    const nor =
      others.length === 0
        ? ''
        : `, and neither ${others.length === 1 ? 'has' : 'have'} ${pluralize(others.length, 'other key')} ${which}`;
    return <Note>{`This key has never been used${nor}.`}</Note>;
  }
  return (
    <Note tone={calls > 0 ? 'refused' : 'neutral'}>
      {lastUsedAt !== null && (
        <>
          Last used <Time at={lastUsedAt} />,{' '}
        </>
      )}
      <strong>{pluralize(calls, 'call')}</strong> in 24 h
      {others.length > 0 && `, including those with ${pluralize(others.length, 'other key')} ${which}`}.
    </Note>
  );
}

/** Finds the time of the last use of any of these keys, as ISO 8601. Null if none was ever used. */
function latest(keys: readonly Key[]): string | null {
  return (
    keys
      .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}
