import { useQuery } from '@tanstack/react-query';
import { Hourglass, Sunset, TriangleAlert } from 'lucide-react';
import { formatCount } from '../../../shared/format/number.ts';
import { formatExactTime } from '../../../shared/format/time.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { keysQuery, formatKeyLabel } from '../../api/keys.ts';
import type { Change } from '../../api/changes.ts';
import { Brownouts, DeprecationLink } from '../../parts/brownouts.tsx';
import { OperationLink } from '../../parts/operation-link.tsx';
import { SuccessorLink } from '../../parts/successor-link.tsx';
import parts from '../../parts/parts.module.css';

/** Shows a deprecated operation that the user calls, and what to do about it. */
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
        <p>No replacement is documented.</p>
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
        <Fact name="First call">
          <Time at={firstAt} />
        </Fact>
        <Fact name="Your calls">{formatCount(requests)}</Fact>
        {change.keys.length > 0 && (
          <Fact name="Called with">
            <ul>
              {change.keys.map((key) => (
                <li key={key.id}>
                  <KeyName id={key.id} />, <Time at={key.lastAt} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Deprecated">{deprecatedAt === null ? 'no date given' : <Time at={deprecatedAt} />}</Fact>
        <Fact name="Sunset">{sunsetAt === null ? 'no date given' : formatExactTime(Date.parse(sunsetAt))}</Fact>
      </Facts>
      <p>
        <DeprecationLink link={change.link} />
      </p>
    </article>
  );
}

/** The name of a key, or the id of a key that is no longer listed. */
function KeyName({ id }: { readonly id: string }) {
  const key = useQuery(keysQuery).data?.items.find((each) => each.id === id);
  return key === undefined ? <code>{id}</code> : <bdi>{formatKeyLabel(key)}</bdi>;
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
      Sunset&nbsp;
      <Time at={sunsetAt} />
    </Badge>
  );
}
