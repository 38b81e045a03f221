import { Hourglass, Sunset, TriangleAlert } from 'lucide-react';
import { count, plural } from '../../../shared/format/number.ts';
import { exactTime } from '../../../shared/format/time.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import type { Change } from '../../api/usage.ts';
import { OperationLink } from '../../parts/operation-link.tsx';
import { SuccessorLink } from '../../parts/successor-link.tsx';
import parts from '../../parts/parts.module.css';
import { safeAddress } from '../../markdown/safe-address.ts';
import { useSite } from '../../session/session-context.ts';

/** A deprecated operation that is called, with what to do about it. */
export function ChangeCard({ change }: { readonly change: Change }) {
  const { operation, method, summary, requests, firstAt, lastAt, deprecatedAt, sunsetAt, successor } = change;
  return (
    <article className={parts.card}>
      <header className={parts.cardHead}>
        <h2>
          <OperationLink id={operation} />
        </h2>
        <End sunsetAt={sunsetAt} />
      </header>
      {summary !== null && <p className={parts.muted}>{summary}</p>}
      {successor === null ? (
        <p>There is no replacement.</p>
      ) : (
        <p>
          Use <SuccessorLink method={method} successor={successor} /> instead.
        </p>
      )}
      <Brownouts brownouts={change.brownouts} />
      <Facts>
        <Fact name="Last call">
          <Time at={lastAt} />
        </Fact>
        <Fact name="Your calls">
          {count(requests)}, first <Time at={firstAt} />
        </Fact>
        <Fact name="Deprecated">{deprecatedAt === null ? 'no date given' : <Time at={deprecatedAt} />}</Fact>
        <Fact name="Ends">{sunsetAt === null ? 'no date given' : exactTime(Date.parse(sunsetAt))}</Fact>
      </Facts>
      <Explained link={change.link} />
    </article>
  );
}

function End({ sunsetAt }: { readonly sunsetAt: string | null }) {
  const now = useNow();
  if (sunsetAt === null) {
    return (
      <Badge tone="refused" icon={TriangleAlert}>
        Deprecated
      </Badge>
    );
  }
  const isOver = Date.parse(sunsetAt) <= now;
  return (
    <Badge tone={isOver ? 'failed' : 'refused'} icon={isOver ? Sunset : Hourglass}>
      {isOver ? 'Ended' : 'Ends'}&nbsp;
      <Time at={sunsetAt} />
    </Badge>
  );
}

function Brownouts({ brownouts }: Pick<Change, 'brownouts'>) {
  const now = useNow();
  const next = brownouts.find(({ to }) => Date.parse(to) > now);
  if (next === undefined) return null;
  const more = brownouts.filter(({ from }) => Date.parse(from) > Date.parse(next.from)).length;
  return (
    <Note tone="refused" icon={TriangleAlert}>
      It is temporarily switched off from {exactTime(Date.parse(next.from))} to {exactTime(Date.parse(next.to))}
      {more > 0 && `, and ${plural(more, 'time')} more after that`}. During that time, calls get 410.
    </Note>
  );
}

/** Says what the reference says, and needs a key. */
const DOCUMENT_PATH = '/_gateway/openapi.json';

/** A path in the document is one of the API, not of the portal. */
function Explained({ link }: { readonly link: string | null }) {
  const { apiUrl } = useSite();
  const address =
    link === null || link === DOCUMENT_PATH ? null : safeAddress(link.startsWith('/') ? apiUrl + link : link);
  if (address === null) return null;
  return (
    <p>
      <a href={address} rel="noreferrer">
        More about this change
      </a>
    </p>
  );
}
