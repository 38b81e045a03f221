import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { count, plural } from '../../../shared/format/number.ts';
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
  violatedOperationsQuery,
  type Violations,
  type ViolationsBy,
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

/** Who would be refused if requests had to fit the document? And if they had to fit its next version? */
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
          {mode === 'report' && <EnforceStep operation={operation} period={period} />}
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
  readonly children?: ReactNode;
}

function Compared({ operation, period, document, title, children }: ComparedProps) {
  const { by: asked } = useSearch({ from: '/operations/$id' });
  const by: ViolationsBy = asked === 'owner' || asked === 'rule' ? asked : 'key';
  const list = useInfiniteQuery(violationsQuery(operation.id, period, by, document));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const more = useNextPage(list);
  const part = useLinkedPart(document === 'current' ? 'violations' : 'candidate', list.data !== undefined);
  return (
    <div ref={part} className={screen.part}>
      <Section title={title} aside={items.length > 0 && <Groups by={by} />}>
        <Answer operation={operation} period={period} document={document} />
        {children}
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
            columns={COLUMNS[by]}
            rows={items}
            rowId={({ key, owner, rule, path }) => `${key} ${owner} ${rule} ${path}`}
            onEnd={more}
          />
        )}
      </Section>
    </div>
  );
}

/** The answer in one sentence. */
function Answer({ operation: { id, validation }, period, document }: Omit<ComparedProps, 'title' | 'children'>) {
  const operations = useQuery(violatedOperationsQuery(period, document)).data;
  if (operations === undefined) return null;
  const found = operations.items.find(({ operation }) => operation === id);
  const isEnforced = document === 'current' && validation.mode === 'enforce';
  if (found === undefined) {
    return <p>{isEnforced ? `Nobody was refused ${period.words}.` : `Nobody ${period.words}.`}</p>;
  }
  const { requests, refused, owners, keys, exemptKeys } = found;
  const exempt = exemptKeys > 0 && ` ${plural(exemptKeys, 'key is', 'keys are')} exempt and never refused.`;
  const who = `${plural(owners, 'owner')} with ${plural(keys, 'key')}`;
  return (
    <p>
      <strong>{who}</strong> sent {plural(requests, 'request')} that {requests === 1 ? 'does' : 'do'} not fit{' '}
      {document === 'candidate' ? 'the next version' : 'the document'} {period.words}
      {isEnforced && `; ${count(refused)} of them were refused`}.{exempt}
    </p>
  );
}

const GROUPS: Readonly<Record<ViolationsBy, string>> = { key: 'By key', owner: 'By owner', rule: 'By rule' };

function Groups({ by }: { readonly by: ViolationsBy }) {
  return (
    <nav aria-label="Group the requests" className={styles.groups}>
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

const RULES: Column<Violations> = { id: 'rules', header: 'Rules', cell: (row) => <RuleList {...row} /> };

const COLUMNS: Readonly<Record<ViolationsBy, readonly Column<Violations>[]>> = {
  key: [
    { id: 'key', header: 'Key', cell: (row) => <KeyCell row={row} /> },
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
    { id: 'owner', header: 'Owner', cell: ({ owner }) => <OwnerCell owner={owner} /> },
    RULES,
    {
      id: 'keys',
      header: 'Keys',
      numeric: true,
      width: '70px',
      hideBelow: 'narrow',
      cell: ({ keys, exemptKeys }) => (exemptKeys === 0 ? count(keys) : `${count(keys)} (${exemptKeys} exempt)`),
    },
    ...FIGURE_COLUMNS,
  ],
  rule: [
    { id: 'rule', header: 'Rule', cell: ({ rule, path }) => <BrokenRule rule={rule ?? ''} path={path ?? ''} /> },
    { id: 'owners', header: 'Owners', numeric: true, width: '84px', cell: ({ owners }) => count(owners) },
    { id: 'keys', header: 'Keys', numeric: true, width: '70px', hideBelow: 'narrow', cell: ({ keys }) => count(keys) },
    ...FIGURE_COLUMNS,
  ],
};

/** Counts of keys for which there was no room are added up. */
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

function OwnerCell({ owner }: { readonly owner: string | null }) {
  return owner === null ? <span className={parts.muted}>without a key</span> : <KnownOwner owner={owner} />;
}

function KnownOwner({ owner }: { readonly owner: string }) {
  return <OwnerName owner={owner} account={useAccountOf(owner)} />;
}
