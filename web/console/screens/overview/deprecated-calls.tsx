import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../shared/format/number.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { operationTotalsQuery } from '../../api/history/history.ts';
import { type Operation, operationsQuery } from '../../api/operations.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import { LifecycleState } from '../../parts/lifecycle-state.tsx';
import { OperationName } from '../../parts/operation-name.tsx';

interface Row {
  readonly operation: Operation;
  readonly requests: number;
}

/** Lists the deprecated operations that are still called. Renders nothing if there are none. */
export function DeprecatedCalls({ period }: { readonly period: Period }) {
  const operations = useQuery(operationsQuery).data ?? [];
  const history = useQuery(operationTotalsQuery(period)).data;
  const requests = new Map(history?.series.map(({ group, totals }) => [group, totals.requests]));
  const rows = operations
    .filter(({ lifecycle }) => lifecycle.deprecated)
    .map((operation) => ({ operation, requests: requests.get(operation.id) ?? 0 }))
    .filter((row) => row.requests > 0);
  if (rows.length === 0) return null;
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      header: 'Operation',
      cell: ({ operation }) => <OperationName id={operation.id} operation={operation} part="callers" />,
    },
    {
      id: 'state',
      header: 'Status',
      width: '120px',
      cell: ({ operation }) => <LifecycleState lifecycle={operation.lifecycle} />,
    },
    {
      id: 'sunset',
      header: 'Sunset',
      width: '104px',
      hideBelow: 'narrow',
      cell: ({ operation: { lifecycle } }) =>
        lifecycle.sunsetAt === null ? 'no date' : <Time at={lifecycle.sunsetAt} />,
    },
    {
      id: 'requests',
      header: 'Requests',
      numeric: true,
      width: '84px',
      cell: ({ requests }) => formatCount(requests),
    },
  ];
  return (
    <Section title={`Deprecated, called ${period.words}`}>
      <DataTable
        caption="Deprecated operations that are still called"
        columns={columns}
        rows={rows}
        rowId={({ operation }) => operation.id}
      />
    </Section>
  );
}
