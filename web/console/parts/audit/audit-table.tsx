import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useCallback } from 'react';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Moment } from '../../../shared/ui/data/time.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type AuditEntry, type AuditFilters, auditQuery } from '../../api/audit.ts';
import { ClearFilters } from '../clear-filters.tsx';
import { ReadFailure } from '../failure.tsx';
import parts from '../parts.module.css';
import styles from './audit-line.module.css';
import { AuditActor, AuditSubject } from './audit-subject.tsx';
import { summaryOf, wordsOf } from './audit-words.ts';

const SHORT_PAGE = 8;

interface Props {
  readonly filters: AuditFilters;
  /** The latest few, without sign-ins. */
  readonly short?: boolean;
}

/** A line for each change: who did what to what. A row opens its details. */
export function AuditTable({ filters, short = false }: Props) {
  const list = useInfiniteQuery(short ? auditQuery({ ...filters, signIns: 'false' }, SHORT_PAGE) : auditQuery(filters));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!short && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [short, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the audit log" /> : <Loading rows={4} />;
  const entries = list.data.pages.flatMap(({ items }) => items);
  const { signIns, ...asked } = filters;
  if (entries.length === 0 && !short && Object.keys(asked).length > 0) {
    return (
      <Empty icon={ScrollText} title="No matching changes" action={<ClearFilters />}>
        Ids and names are matched exactly.
      </Empty>
    );
  }
  if (entries.length === 0) {
    return (
      <Empty icon={ScrollText} title="No changes yet">
        Every change made through the admin API, the command line or this console is listed here, with who made it and
        why.
      </Empty>
    );
  }
  return (
    <DataTable
      caption="Changes, newest first"
      columns={columnsOf(filters, short)}
      rows={entries}
      rowId={({ sequence }) => String(sequence)}
      onEnd={more}
    />
  );
}

/** The changes of one thing do not name it; a short list has its reasons below the changes. */
function columnsOf({ subject }: AuditFilters, short: boolean): readonly Column<AuditEntry>[] {
  const isNamed = !short || subject === undefined;
  const change: Column<AuditEntry> = {
    id: 'change',
    header: 'Change',
    cell: (entry) => <Line entry={entry} isNamed={isNamed} withReason={short} />,
  };
  const reason: Column<AuditEntry> = {
    id: 'reason',
    header: 'Reason',
    width: '28%',
    hideBelow: 'narrow',
    cell: (entry) => <Reason entry={entry} />,
  };
  const at: Column<AuditEntry> = {
    id: 'at',
    header: 'Time',
    width: '148px',
    hideBelow: 'narrow',
    cell: (entry) => <OpenLink entry={entry} subject={short ? subject : undefined} />,
  };
  return short ? [change, at] : [change, reason, at];
}

function Line({
  entry,
  isNamed,
  withReason,
}: {
  readonly entry: AuditEntry;
  readonly isNamed: boolean;
  readonly withReason: boolean;
}) {
  const [verb, noun] = wordsOf(entry);
  const summary = summaryOf(entry);
  return (
    <div className={styles.line}>
      <span className={styles.actor}>
        <AuditActor entry={entry} />
      </span>{' '}
      {verb}
      {noun !== undefined && !isNamed && ` this ${noun}`}
      {noun !== undefined && isNamed && (
        <>
          {` ${noun} `}
          <AuditSubject entry={entry} />
        </>
      )}
      {summary !== '' && (
        <>
          : <bdi>{summary}</bdi>
        </>
      )}
      {withReason && entry.reason !== null && (
        <div className={parts.detail}>
          <Reason entry={entry} />
        </div>
      )}
      <span className={parts.onPhones}>
        <Moment at={entry.at} />
        {!withReason && entry.reason !== null && (
          <>
            {' · '}
            <bdi>{entry.reason}</bdi>
          </>
        )}
      </span>
    </div>
  );
}

function Reason({ entry: { reason } }: { readonly entry: AuditEntry }) {
  if (reason === null) return null;
  return (
    <div className={parts.clamped} title={reason}>
      <bdi>{reason}</bdi>
    </div>
  );
}

/** Opens the details, on the audit log's own screen. */
function OpenLink({ entry, subject }: { readonly entry: AuditEntry; readonly subject: string | undefined }) {
  const entryId = String(entry.sequence);
  return (
    <Link
      to="/audit"
      search={(all: object) =>
        subject === undefined ? { ...auditSearch(all), entry: entryId } : { subject, entry: entryId }
      }
      className={styles.open}
      data-row-link
    >
      <Moment at={entry.at} />
    </Link>
  );
}

const KEPT = ['subject', 'actor', 'action', 'bulkId', 'from', 'to', 'signIns'];

/** The filters of the audit log, if the reader is there. */
function auditSearch(search: object): Record<string, string> {
  if (!location.hash.startsWith('#/audit')) return {};
  return Object.fromEntries(Object.entries(search).filter(([name]) => KEPT.includes(name)));
}
