import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, FileSearch, TriangleAlert } from 'lucide-react';
import { formatExactTime } from '../../../shared/format/time.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading, Note } from '../../../shared/ui/page/states.tsx';
import { keysQuery } from '../../api/keys.ts';
import { type PastBan, refusalsQuery } from '../../api/refusals.ts';
import { usageQuery } from '../../api/usage.ts';
import { describeBanByTeam, nameBannedKeys, TeamMessage } from '../../parts/ban-note.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { KeyNames, findAffectedKeys, type SomeKeys } from '../../parts/quota-name.tsx';
import { RefusalTable } from '../../parts/refusal-table.tsx';

/** Lists recent refusals to choose from, because few users know the id of a call. */
export function RecentRefusals() {
  const recent = useQuery(refusalsQuery);
  const { data: quotas = [] } = useQuery(usageQuery);
  const keys = useQuery(keysQuery).data?.items;
  if (recent.data === undefined) {
    return recent.isError ? <ReadFailure query={recent} what="your recent refusals" /> : <Loading rows={4} />;
  }
  const { items, bans } = recent.data;
  return (
    <>
      {bans.map((ban) => (
        <BanInShort
          key={`${ban.quotaId} ${ban.from}`}
          ban={ban}
          keys={findAffectedKeys(
            quotas.filter(({ quotaId }) => quotaId === ban.quotaId),
            quotas,
            keys,
          )}
        />
      ))}
      <Section title="Recent refusals">
        {items.length === 0 ? (
          <Empty icon={FileSearch} title="No refused requests in the last 48 hours">
            Every response has the header <code>X-Request-Id</code>. Log it in your client, and quote it when you ask
            for help.
          </Empty>
        ) : (
          <RefusalTable refusals={items} />
        )}
        <p className={parts.small}>
          Up to five refusals per minute are listed for each key and reason, plus those that start a ban, for 48 hours.{' '}
          <Link to="/usage">Your usage</Link> counts all refusals.
        </p>
      </Section>
    </>
  );
}

interface BanInShortProps {
  readonly ban: PastBan;
  readonly keys: SomeKeys;
}

/** A short note about a ban. For an active ban, a longer note is on every page. */
function BanInShort({ ban: { from, until, endedAt, manual, message }, keys }: BanInShortProps) {
  const time =
    endedAt === null
      ? `are refused until ${formatExactTime(Date.parse(until))}.`
      : `were refused from ${formatExactTime(Date.parse(from))} to ${formatExactTime(Date.parse(endedAt))}.`;
  return (
    <Note tone="banned" icon={Ban}>
      <strong>
        {keys === 'all' ? (
          'Your calls'
        ) : (
          <>
            Calls with <KeyNames keys={keys} />
          </>
        )}{' '}
        {time}
      </strong>{' '}
      {manual ? (
        <>
          {describeBanByTeam(keys)} {message !== null && <TeamMessage message={message} />}
        </>
      ) : (
        <>
          The gateway banned {nameBannedKeys(keys)}
          {message !== null && (
            <>
              : <bdi>{message}</bdi>
            </>
          )}
          .
        </>
      )}
    </Note>
  );
}

/** A large badge with the status of a refusal. */
export function RefusedBadge({ status }: { readonly status: unknown }) {
  return (
    <Badge tone="refused" icon={TriangleAlert}>
      Refused{typeof status === 'number' && ` with ${status}`}
    </Badge>
  );
}
