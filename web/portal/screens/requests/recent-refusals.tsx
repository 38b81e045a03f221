import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, FileSearch, TriangleAlert } from 'lucide-react';
import { exactTime } from '../../../shared/format/time.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading, Note } from '../../../shared/ui/page/states.tsx';
import { type PastBan, refusalsQuery } from '../../api/refusals.ts';
import { BY_TEAM, TeamMessage } from '../../parts/ban-note.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { RefusalTable } from '../../parts/refusal-table.tsx';

/** What was refused lately: to pick from, because few know the id of a call. */
export function RecentRefusals() {
  const recent = useQuery(refusalsQuery);
  if (recent.data === undefined) {
    return recent.isError ? <ReadFailure query={recent} what="your recent refusals" /> : <Loading rows={4} />;
  }
  const { items, bans } = recent.data;
  return (
    <>
      {bans.map((ban) => (
        <BanInShort key={ban.from} ban={ban} />
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
          Up to five refusals per minute are stored for each quota, plus those that start a ban, for 48 hours.{' '}
          <Link to="/usage">Your usage</Link> counts all refusals.
        </p>
      </Section>
    </>
  );
}

/** The note about a ban that is active has more: it is on every page. */
function BanInShort({ ban: { from, until, endedAt, manual, message } }: { readonly ban: PastBan }) {
  return (
    <Note tone="banned" icon={Ban}>
      <strong>
        {endedAt === null
          ? `Your calls are refused until ${exactTime(Date.parse(until))}.`
          : `Your calls were refused from ${exactTime(Date.parse(from))} to ${exactTime(Date.parse(endedAt))}.`}
      </strong>{' '}
      {manual ? (
        <>
          {BY_TEAM} {message !== null && <TeamMessage message={message} />}
        </>
      ) : (
        <>
          The gateway banned your keys
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

/** The status, large enough to be seen first. */
export function RefusedBadge({ status }: { readonly status: unknown }) {
  return (
    <Badge tone="refused" icon={TriangleAlert}>
      Refused{typeof status === 'number' && ` with ${status}`}
    </Badge>
  );
}
