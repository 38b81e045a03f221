import { plural } from '../../format/number.ts';
import { Time } from './time.tsx';

interface Props {
  readonly lastUsedAt: string | null;
  /** Uses of a replaced secret that ends once it is no longer used. More is known about these. */
  readonly grace: { readonly lastUsedFrom: string | null; readonly callsLastDay?: number | null } | null;
}

/**
 * The time and network of the last use of a secret, and how often it is still used: “5 minutes ago from 203.0.113.0/24,
 * 12 calls …”.
 */
export function LastUse({ lastUsedAt, grace }: Props) {
  const calls = grace?.callsLastDay ?? null;
  return (
    <>
      {lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}
      {grace !== null && grace.lastUsedFrom !== null && (
        <>
          {' '}
          from <code>{grace.lastUsedFrom}</code>
        </>
      )}
      {calls !== null && `, ${calls === 0 ? 'no calls' : plural(calls, 'call')} in the last 24 hours`}
    </>
  );
}
