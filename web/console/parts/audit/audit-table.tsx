import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useCallback } from 'react';
import { shortId } from '../../../shared/format/id.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { type AuditEntry, type AuditFilters, auditQuery } from '../../api/audit.ts';
import { differences, shownValue } from './audit-diff.ts';
import { ClearFilters } from '../clear-filters.tsx';
import { ReadFailure } from '../failure.tsx';
import styles from '../parts.module.css';

const SHORT_PAGE = 8;
const MAX_FIELDS = 4;
const MAX_VALUE_LENGTH = 60;

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'Time', width: '112px', cell: (entry) => <When entry={entry} /> },
  {
    id: 'action',
    header: 'Action',
    width: 'clamp(116px, 19vw, 168px)',
    cell: (entry) => <Action entry={entry} named />,
  },
  { id: 'change', header: 'Change', cell: (entry) => <Diff entry={entry} /> },
  { id: 'reason', header: 'Reason', hideBelow: 'medium', cell: ({ reason }) => <bdi>{reason}</bdi> },
  { id: 'actor', header: 'By', hideBelow: 'narrow', width: '112px', cell: (entry) => <Actor entry={entry} /> },
];

/** What was changed, as differences; `short` shows the latest few of one thing. */
export function AuditTable({ filters, short = false }: { readonly filters: AuditFilters; readonly short?: boolean }) {
  const list = useInfiniteQuery(short ? auditQuery(filters, SHORT_PAGE) : auditQuery(filters));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!short && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [short, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the audit log" /> : <Loading rows={4} />;
  const all = list.data.pages.flatMap(({ items }) => items);
  // The entries of one bulk change need not name it.
  const entries = filters.bulkId === undefined ? all : all.map((entry) => ({ ...entry, bulkId: null }));
  if (entries.length === 0 && !short && Object.keys(filters).length > 0) {
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
      columns={short ? columnsOf(filters) : columns}
      rows={entries}
      rowId={({ sequence }) => String(sequence)}
      onEnd={more}
    />
  );
}

/** The changes of one thing do not name it; a short list of all changes has no room for reasons. */
function columnsOf({ subject }: AuditFilters): readonly Column<AuditEntry>[] {
  if (subject === undefined) return columns.filter(({ id }) => id !== 'reason');
  const cell = (entry: AuditEntry) => <Action entry={entry} />;
  return columns.map((column) => (column.id === 'action' ? { ...column, cell } : column));
}

function When({ entry }: { readonly entry: AuditEntry }) {
  return (
    <>
      <Time at={entry.at} />
      <span className={styles.onPhones}>
        by <Actor entry={entry} />
      </span>
    </>
  );
}

/** What was done; if `named`, to what. */
function Action({ entry, named = false }: { readonly entry: AuditEntry; readonly named?: boolean }) {
  const [kind, verb] = entry.action.split('.', 2);
  return (
    <>
      <code>
        {kind}.<wbr />
        {verb}
      </code>
      {named && (
        <span className={styles.subject}>
          <Subject entry={entry} />
        </span>
      )}
    </>
  );
}

/** The name of a token or a person; of an account, its id. */
function Actor({ entry: { actor } }: { readonly entry: AuditEntry }) {
  return <bdi title={actor}>{actor.startsWith('acc_') ? shortId(actor) : actor}</bdi>;
}

function Subject({ entry: { subject, action } }: { readonly entry: AuditEntry }) {
  if (subject.startsWith('whk_')) {
    return (
      <Link to="/webhooks/$id" params={{ id: subject }} title={subject}>
        <code>{shortId(subject)}</code>
      </Link>
    );
  }
  if (subject.startsWith('bulk_')) return <BulkLink id={subject} />;
  if (!subject.startsWith('key_')) return <bdi>{action.startsWith('plan.') ? subject : shortId(subject)}</bdi>;
  return (
    <Link to="/keys/$id" params={{ id: subject }} title={subject}>
      <code>{shortId(subject)}</code>
    </Link>
  );
}

/** The changes of all keys of a bulk change. */
function BulkLink({ id }: { readonly id: string }) {
  return (
    <Link to="/audit" search={{ bulkId: id }} title={id}>
      <code>{shortId(id)}</code>
    </Link>
  );
}

function Diff({ entry }: { readonly entry: AuditEntry }) {
  const all = differences(entry.before, entry.after).filter(({ field }) => !isOfNoNote(entry.action, field));
  const more = all.length - MAX_FIELDS;
  return (
    <div className={styles.diff}>
      {all.slice(0, MAX_FIELDS).map(({ field, before, after }) => (
        <div key={field}>
          <span className={styles.field}>{field}</span>
          {before !== undefined && (
            <del className={styles.before}>
              <Value value={before} />
            </del>
          )}
          {after !== undefined && (
            <ins className={styles.after}>
              <Value value={after} />
            </ins>
          )}
        </div>
      ))}
      {entry.bulkId !== null && entry.subject !== entry.bulkId && (
        <div>
          <span className={styles.field}>part of</span> <BulkLink id={entry.bulkId} />
        </div>
      )}
      {more > 0 && (
        <details>
          <summary className={styles.field}>{`${more} more`}</summary>
          {all.slice(MAX_FIELDS).map(({ field, before, after }) => (
            <div key={field}>
              <span className={styles.field}>{field}</span> <bdi>{shownValue(after ?? before)}</bdi>
            </div>
          ))}
        </details>
      )}
    </div>
  );
}

/** For a ban, when it ends; the list of bans has the rest. */
function isOfNoNote(action: string, field: string): boolean {
  return action.startsWith('ban.') && field !== 'until';
}

function Value({ value }: { readonly value: unknown }) {
  const text = shownValue(value);
  return <bdi title={text}>{text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH - 1)}…`}</bdi>;
}
