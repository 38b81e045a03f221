import { pluralize } from '../../format/number.ts';
import { Time } from './time.tsx';

interface Props {
  readonly lastUsedAt: string | null;
  /** Details of the last uses. Known only for a replaced secret that expires once it is no longer used. */
  readonly grace: { readonly lastUsedFrom: string | null; readonly callsLastDay?: number | null } | null;
}

/**
 * Says when and from which network a secret was last used, and how often it still is: “5 minutes ago from
 * 203.0.113.0/24, 12 calls …”.
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
      {calls !== null && `, ${calls === 0 ? 'no calls' : pluralize(calls, 'call')} in the last 24 hours`}
    </>
  );
}
