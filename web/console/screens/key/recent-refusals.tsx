import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '../../../shared/format/number.ts';
import { exactTime, utcTime } from '../../../shared/format/time.ts';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import type { Schemas } from '../../api/transport/client.ts';
import { refusalsQuery } from '../../api/history/history.ts';
import { operationsQuery } from '../../api/operations.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';

/** The latest of some that follow each other and differ in nothing but the time. */
type Refusal = Schemas['RecentRefusal'] & { readonly alike: number };

const columns: readonly Column<Refusal>[] = [
  { id: 'call', header: 'Request', cell: (refusal) => <Call refusal={refusal} /> },
  {
    id: 'code',
    header: 'Refused with',
    width: '230px',
    hideBelow: 'medium',
    cell: ({ status, code }) => (
      <>
        {status}{' '}
        <code>
          <BreakableCode text={code} />
        </code>
      </>
    ),
  },
  {
    id: 'at',
    header: 'Time (UTC)',
    width: '156px',
    cell: ({ at }) => (
      <time dateTime={at} title={exactTime(Date.parse(at))}>
        {utcTime(at, new Date().toISOString())}
      </time>
    ),
  },
];

/** Why were calls refused? To pick from: few customers know the id of a request. */
export function RecentRefusals({ id }: { readonly id: string }) {
  const refusals = useQuery(refusalsQuery(id));
  return (
    <Section title="Recent refusals">
      {refusals.isPending && <Loading rows={3} label="Loading the refusals" />}
      {refusals.isError && refusals.data === undefined && <ReadFailure query={refusals} what="the refusals" />}
      {refusals.data?.items.length === 0 && <p className={parts.none}>None in the last 48 hours.</p>}
      {refusals.data !== undefined && refusals.data.items.length > 0 && (
        <DataTable
          caption="Refused requests, newest first"
          columns={columns}
          rows={folded(refusals.data.items)}
          rowId={({ requestId, at }) => `${requestId} ${at}`}
        />
      )}
    </Section>
  );
}

function folded(refusals: readonly Schemas['RecentRefusal'][]): readonly Refusal[] {
  const rows: Refusal[] = [];
  for (const refusal of refusals) {
    const last = rows.at(-1);
    const isAlike = last?.cause === refusal.cause && last.code === refusal.code && last.operation === refusal.operation;
    if (isAlike) rows[rows.length - 1] = { ...last, alike: last.alike + 1 };
    else rows.push({ ...refusal, alike: 0 });
  }
  return rows;
}

function Call({ refusal: { requestId, method, operation, path, cause, alike } }: { readonly refusal: Refusal }) {
  const known = useQuery(operationsQuery).data?.find(({ id }) => id === operation);
  return (
    <Link to="/requests" search={{ id: requestId }} className={parts.name} data-row-link title={requestId}>
      {known === undefined ? (
        <bdi>{operation ?? `${method} ${path}`}</bdi>
      ) : (
        <code>{`${known.method} ${known.path}`}</code>
      )}
      <bdi className={parts.detail}>{cause}</bdi>
      {alike > 0 && <span className={parts.detail}>{plural(alike, 'more refusal')} like this before it</span>}
    </Link>
  );
}
