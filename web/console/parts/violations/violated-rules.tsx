import { useQuery } from '@tanstack/react-query';
import type { Period } from '../../../shared/traffic/period.ts';
import { BrokenRule } from '../../../shared/ui/data/broken-rule.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { operationsQuery } from '../../api/operations.ts';
import { type ViolatedOperation, violatedRulesQuery } from '../../api/violations.ts';
import { ReadFailure } from '../failure.tsx';
import { OperationName } from '../operation-name.tsx';
import parts from '../parts.module.css';
import { FIGURE_COLUMNS } from './violation-columns.tsx';

interface Props {
  readonly filters: { readonly key: string } | { readonly owner: string };
  readonly period: Period;
}

/**
 * Lists the rules that the requests of a key or an owner broke, by operation. Renders nothing if no requests are
 * validated.
 */
export function ViolatedRules({ filters, period }: Props) {
  const operations = useQuery(operationsQuery).data ?? [];
  const isCompared = operations.some(({ validation: { mode } }) => mode !== 'off');
  const hasCandidate = operations.some(({ validation: { candidate } }) => candidate);
  return (
    <>
      {isCompared && (
        <Section title="Requests that do not fit their operation">
          <Rules filters={filters} period={period} document="current" />
        </Section>
      )}
      {hasCandidate && (
        <Section title="Requests that the next version of a document would refuse">
          <Rules filters={filters} period={period} document="candidate" />
        </Section>
      )}
    </>
  );
}

function Rules({ filters, period, document }: Props & { readonly document: 'current' | 'candidate' }) {
  const violations = useQuery(violatedRulesQuery(filters, period, document));
  const operations = useQuery(operationsQuery).data;
  if (violations.data === undefined) {
    return violations.isError ? (
      <ReadFailure query={violations} what="the requests that do not fit" />
    ) : (
      <Loading rows={3} label="Loading the requests that do not fit" />
    );
  }
  const { items, nextCursor } = violations.data;
  if (items.length === 0) return <p className={parts.none}>None {period.words}.</p>;
  const columns: readonly Column<ViolatedOperation>[] = [
    {
      id: 'operation',
      header: 'Operation',
      cell: ({ operation, rule, place }) => (
        <>
          <OperationName
            id={operation}
            operation={operations?.find(({ id }) => id === operation)}
            part={document === 'candidate' ? 'candidate' : 'violations'}
          />
          <span className={parts.onPhones}>
            <BrokenRule rule={rule ?? ''} path={place ?? ''} />
          </span>
        </>
      ),
    },
    {
      id: 'rule',
      header: 'Rule',
      hideBelow: 'narrow',
      cell: ({ rule, place }) => <BrokenRule rule={rule ?? ''} path={place ?? ''} />,
    },
    ...FIGURE_COLUMNS.filter(({ id }) => document === 'current' || id !== 'refused'),
  ];
  return (
    <>
      <DataTable
        caption="Rules that requests broke, most requests first"
        columns={columns}
        rows={items}
        rowId={({ operation, rule, place }) => `${operation} ${rule} ${place}`}
      />
      {nextCursor !== null && <p className={parts.none}>Only the first {items.length} rules are listed.</p>}
    </>
  );
}
