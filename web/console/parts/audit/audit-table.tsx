import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Moment } from '../../../shared/ui/data/time.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { pluralize } from '../../../shared/format/number.ts';
import { type AuditEntry, type AuditFilters, auditQuery } from '../../api/audit.ts';
import { ClearFilters } from '../clear-filters.tsx';
import { ToCustomer } from '../to-customer.tsx';
import { ReadFailure } from '../failure.tsx';
import { usePlanNames } from '../plan-link.tsx';
import parts from '../parts.module.css';
import styles from './audit-line.module.css';
import { type AuditRun, foldRuns } from './audit-runs.ts';
import { AuditActor, AuditSubject } from './audit-subject.tsx';
import { summarizeChange, findActionWords } from './audit-words.ts';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

// Loaded when the first change is opened.
const AuditDialog = lazyPart(async () => (await import('./audit-dialog.tsx')).AuditDialog);

const SHORT_ROWS = 8;
/** Reads more changes than rows, because the table folds equal changes. */
const SHORT_PAGE = 3 * SHORT_ROWS;

interface Props {
  readonly filters: AuditFilters;
  /** Shows only the latest few changes, without sign-ins. */
  readonly short?: boolean;
}

/** Lists changes, one a row: who did what to what. A row opens its details, which are in the address (`entry`). */
export function AuditTable(props: Props) {
  const { entry } = useSearch({ strict: false });
  const navigate = useNavigate();
  const close = () =>
    void navigate({ to: '.', search: (all) => ({ ...all, entry: undefined }), replace: true, resetScroll: false });
  return (
    <>
      <Changes {...props} />
      {entry !== undefined && <AuditDialog sequence={entry} onClose={close} />}
    </>
  );
}

function Changes({ filters, short = false }: Props) {
  const list = useInfiniteQuery(short ? auditQuery({ ...filters, signIns: 'false' }, SHORT_PAGE) : auditQuery(filters));
  const planName = usePlanNames();
  const more = useNextPage(list);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the audit log" /> : <Loading rows={4} />;
  const entries = list.data.pages.flatMap(({ items }) => items);
  const { signIns, ...asked } = filters;
  if (entries.length === 0 && !short && Object.keys(asked).length > 0) {
    return (
      <Empty icon={ScrollText} title="No matching changes" action={<ClearFilters />}>
        {asked.subject === undefined && asked.actor === undefined
          ? 'No change of this kind was made in this period.'
          : 'Ids and names are matched exactly.'}
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
  // Only a short list is folded, and only if its changes have different subjects.
  const isFolded = short && filters.subject === undefined;
  const rows = isFolded
    ? foldRuns(entries, (entry) => summarizeChange(entry, planName))
    : entries.map((entry) => ({ entry, count: 1 }));
  return (
    <DataTable
      caption="Changes, newest first"
      columns={selectColumns(filters, short)}
      rows={short ? rows.slice(0, SHORT_ROWS) : rows}
      rowId={({ entry: { sequence } }) => String(sequence)}
      order="-at"
      onEnd={short ? undefined : more}
    />
  );
}

/** A list of changes to one subject leaves the subject out. A short list shows the reasons below the changes. */
function selectColumns({ subject }: AuditFilters, short: boolean): readonly Column<AuditRun>[] {
  const isNamed = !short || subject === undefined;
  const change: Column<AuditRun> = {
    id: 'change',
    header: 'Change',
    cell: (run) => <Line run={run} isNamed={isNamed} withReason={short} />,
  };
  const reason: Column<AuditRun> = {
    id: 'reason',
    header: 'Reason',
    width: '28%',
    hideBelow: 'narrow',
    cell: ({ entry }) => <Reason entry={entry} />,
  };
  const at: Column<AuditRun> = {
    id: 'at',
    header: 'Time',
    width: '148px',
    hideBelow: 'narrow',
    cell: (run) => <OpenLink run={run} />,
  };
  return short ? [change, at] : [change, reason, at];
}

interface LineProps {
  readonly run: AuditRun;
  readonly isNamed: boolean;
  readonly withReason: boolean;
}

function Line({ run, isNamed, withReason }: LineProps) {
  const { entry, count } = run;
  const [verb, noun] = findActionWords(entry);
  const summary = summarizeChange(entry, usePlanNames());
  return (
    <div className={styles.line}>
      <span className={styles.actor}>
        <AuditActor entry={entry} />
      </span>{' '}
      {verb}
      {noun !== undefined && !isNamed && ` this ${noun}`}
      {noun !== undefined && isNamed && count > 1 && ` ${pluralize(count, noun)}`}
      {noun !== undefined && isNamed && count === 1 && (
        <>
          {` ${noun} `}
          <AuditSubject entry={entry} />
        </>
      )}
      {summary !== '' && (
        <>
          {' · '}
          <bdi>{summary}</bdi>
        </>
      )}
      {withReason && entry.reason !== null && (
        <div className={parts.detail}>
          <Reason entry={entry} />
        </div>
      )}
      <span className={parts.onPhones}>
        <OpenLink run={run} />
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

function Reason({ entry: { reason, message } }: { readonly entry: AuditEntry }) {
  if (reason === null) return null;
  return (
    <>
      <div className={parts.clamped} title={reason}>
        <bdi>{reason}</bdi>
      </div>
      <ToCustomer message={message} reason={reason} />
    </>
  );
}

/** Opens the details in place. Several changes in one row are listed on the screen of the audit log. */
function OpenLink({ run: { entry, count } }: { readonly run: AuditRun }) {
  const { sequence, actor, action } = entry;
  const time = <Moment at={entry.at} />;
  if (count > 1) {
    return (
      <Link to="/audit" search={{ actor, action }} className={styles.open} data-row-link>
        {time}
      </Link>
    );
  }
  return (
    <Link
      to="."
      search={(all) => ({ ...all, entry: String(sequence) })}
      resetScroll={false}
      className={styles.open}
      data-row-link
    >
      {time}
    </Link>
  );
}
