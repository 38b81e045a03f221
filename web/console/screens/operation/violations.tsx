import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { useNextPage } from '../../../shared/behavior/next-page.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import { BrokenRule } from '../../../shared/ui/data/broken-rule.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { ExemptButton } from '../../actions/exempt-button.tsx';
import type { Operation } from '../../api/operations.ts';
import {
  type ComparedDocument,
  type Violations,
  type ViolationTotals,
  type ViolationGroup,
  violationsQuery,
} from '../../api/violations.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyName } from '../../parts/keys/key-name.tsx';
import { OwnerName, useAccountOf } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { ExemptBadge } from '../../parts/violations/exempt-badge.tsx';
import { RuleList } from '../../parts/violations/rule-list.tsx';
import { FIGURE_COLUMNS } from '../../parts/violations/violation-columns.tsx';
import styles from '../../parts/violations/violations.module.css';
import { EnforceStep, ReportStep } from './enforce-step.tsx';
import { useLinkedPart } from './linked-part.ts';
import screen from './operation-screen.module.css';

interface Props {
  readonly operation: Operation;
  readonly period: Period;
}

/** Shows whose requests would be refused if they had to fit the document, or the next version of the document. */
export function OperationViolations({ operation, period }: Props) {
  const { mode, candidate } = operation.validation;
  return (
    <>
      {mode === 'off' ? (
        <Section title="Who would be refused?">
          <p className={parts.none}>Requests of this operation are not compared with its document.</p>
          <ReportStep operation={operation} />
        </Section>
      ) : (
        <Compared
          operation={operation}
          period={period}
          document="current"
          title={mode === 'enforce' ? 'Who is refused?' : 'Who would be refused?'}
        >
          {mode === 'report' && ((totals) => <EnforceStep operation={operation} period={period} totals={totals} />)}
        </Compared>
      )}
      {candidate && (
        <Compared
          operation={operation}
          period={period}
          document="candidate"
          title="Who would the next version of the document refuse?"
        />
      )}
    </>
  );
}

interface ComparedProps extends Props {
  readonly document: ComparedDocument;
  readonly title: string;
  /** Renders the next steps, once the totals are loaded. `totals` is null if all requests fit. */
  readonly children?: false | ((totals: ViolationTotals | null) => ReactNode);
}

function Compared({ operation, period, document, title, children }: ComparedProps) {
  const { by: asked } = useSearch({ from: '/operations/$id' });
  const by: ViolationGroup = asked === 'owner' || asked === 'rule' ? asked : 'key';
  const list = useInfiniteQuery(violationsQuery(operation.id, period, by, document));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const more = useNextPage(list);
  const part = useLinkedPart(document === 'current' ? 'violations' : 'candidate', list.data !== undefined);
  return (
    <div ref={part} className={screen.part}>
      <Section title={title} aside={items.length > 0 && <Groups by={by} title={title} />}>
        {list.data !== undefined && (
          <ViolationsSummary
            operation={operation}
            period={period}
            document={document}
            totals={list.data.pages[0]?.totals ?? null}
          />
        )}
        {list.data !== undefined && children && children(list.data.pages[0]?.totals ?? null)}
        {list.isPending && <Loading rows={4} label="Loading the requests that do not fit" />}
        {list.isError && list.data === undefined && <ReadFailure query={list} what="the requests that do not fit" />}
        {list.data !== undefined && items.length === 0 && (
          <Empty icon={CircleCheck} title={`All compared requests fit ${period.words}`}>
            Keys whose requests do not fit will be listed here, with their owners and the rules that they broke.
          </Empty>
        )}
        {items.length > 0 && (
          <DataTable
            caption={`${title} Most requests first`}
            columns={document === 'candidate' ? CANDIDATE_COLUMNS[by] : COLUMNS[by]}
            rows={items}
            rowId={({ key, owner, rule, path }) => `${key} ${owner} ${rule} ${path}`}
            onEnd={more}
          />
        )}
      </Section>
    </div>
  );
}

interface ViolationsSummaryProps extends Omit<ComparedProps, 'title' | 'children'> {
  readonly totals: ViolationTotals | null;
}

/** Says in one sentence how many owners sent requests that do not fit. */
function ViolationsSummary({ operation: { validation }, period, document, totals }: ViolationsSummaryProps) {
  const isEnforced = document === 'current' && validation.mode === 'enforce';
  if (totals === null) {
    return <p>{isEnforced ? `Nobody was refused ${period.words}.` : `Nobody ${period.words}.`}</p>;
  }
  const { requests, refused, owners, keys, exemptKeys } = totals;
  const exempt = exemptKeys > 0 && ` ${pluralize(exemptKeys, 'key is', 'keys are')} exempt and never refused.`;
  const who = `${pluralize(owners, 'owner')} with ${pluralize(keys, 'key')}`;
  return (
    <p>
      <strong>{who}</strong> sent {pluralize(requests, 'request')} that {requests === 1 ? 'does' : 'do'} not fit{' '}
      {document === 'candidate' ? 'the next version' : 'the document'} {period.words}
      {isEnforced && `; ${formatCount(refused)} of them were refused`}.{exempt}
    </p>
  );
}

const GROUPS: Readonly<Record<ViolationGroup, string>> = { key: 'By key', owner: 'By owner', rule: 'By rule' };

function Groups({ by, title }: { readonly by: ViolationGroup; readonly title: string }) {
  return (
    <nav aria-label={`Group: ${title}`} className={styles.groups}>
      {Object.entries(GROUPS).map(([value, label]) => (
        <Link
          key={value}
          to="."
          search={(all: Record<string, unknown>) => ({ ...all, by: value === 'key' ? undefined : value })}
          replace
          resetScroll={false}
          className={styles.group}
          data-chosen={value === by}
          aria-current={value === by ? 'true' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

const RULES: Column<Violations> = {
  id: 'rules',
  header: 'Rules',
  hideBelow: 'narrow',
  cell: (row) => <RuleList {...row} />,
};

function createKeyColumn(hasExemption: boolean): Column<Violations> {
  return {
    id: 'key',
    header: 'Key',
    cell: (row) => (
      <>
        <KeyCell row={row} />
        <RulesOnPhones row={row} />
        {hasExemption && row.key !== null && (
          <div className={styles.exemption}>
            <ExemptButton keyId={row.key} />
          </div>
        )}
      </>
    ),
  };
}

const COLUMNS: Readonly<Record<ViolationGroup, readonly Column<Violations>[]>> = {
  key: [
    createKeyColumn(true),
    RULES,
    ...FIGURE_COLUMNS,
    {
      id: 'exempt',
      header: 'Exempt',
      width: '116px',
      hideBelow: 'medium',
      cell: ({ key }) => key !== null && <ExemptButton keyId={key} />,
    },
  ],
  owner: [
    {
      id: 'owner',
      header: 'Owner',
      cell: (row) => (
        <>
          <OwnerCell owner={row.owner} />
          <RulesOnPhones row={row} />
        </>
      ),
    },
    RULES,
    {
      id: 'keys',
      header: 'Keys',
      numeric: true,
      width: '70px',
      hideBelow: 'narrow',
      cell: ({ keys, exemptKeys }) =>
        exemptKeys === 0 ? formatCount(keys) : `${formatCount(keys)} (${exemptKeys} exempt)`,
    },
    ...FIGURE_COLUMNS,
  ],
  rule: [
    { id: 'rule', header: 'Rule', cell: ({ rule, path }) => <BrokenRule rule={rule ?? ''} path={path ?? ''} /> },
    { id: 'owners', header: 'Owners', numeric: true, width: '84px', cell: ({ owners }) => formatCount(owners) },
    {
      id: 'keys',
      header: 'Keys',
      numeric: true,
      width: '70px',
      hideBelow: 'narrow',
      cell: ({ keys }) => formatCount(keys),
    },
    ...FIGURE_COLUMNS,
  ],
};

/** The columns for a candidate document. Candidates refuse no requests, so columns about refusals are left out. */
const CANDIDATE_COLUMNS: typeof COLUMNS = {
  key: [createKeyColumn(false), ...COLUMNS.key.slice(1).filter(({ id }) => id !== 'refused' && id !== 'exempt')],
  owner: COLUMNS.owner.filter(({ id }) => id !== 'refused'),
  rule: COLUMNS.rule.filter(({ id }) => id !== 'refused'),
};

/** The API counts keys beyond its limit together under this name. */
const OTHER_KEYS = 'other';

function KeyCell({ row: { key, exemptKeys } }: { readonly row: Violations }) {
  if (key === null) return <span className={parts.muted}>without a key</span>;
  if (key === OTHER_KEYS) return <span className={parts.muted}>further keys</span>;
  return (
    <>
      <KeyName id={key} /> {exemptKeys > 0 && <ExemptBadge />}
    </>
  );
}

function RulesOnPhones({ row }: { readonly row: Violations }) {
  return (
    <div className={parts.onPhones}>
      <RuleList {...row} />
    </div>
  );
}

function OwnerCell({ owner }: { readonly owner: string | null }) {
  return owner === null ? <span className={parts.muted}>without a key</span> : <KnownOwner owner={owner} />;
}

function KnownOwner({ owner }: { readonly owner: string }) {
  return <OwnerName owner={owner} account={useAccountOf(owner)} />;
}
