import { formatCount, formatMilliseconds } from '../format/number.ts';
import { formatUtcDay } from '../format/time.ts';
import type { Column } from '../ui/data/data-table.tsx';
import { Moment } from '../ui/data/time.tsx';
import { ChartTable } from './chart-table.tsx';
import { formatIntervalLength } from './period.ts';
import type { TrafficPoints } from './traffic-points.ts';
import type { Resolution } from './usage-history.ts';

interface Row {
  readonly atMs: number;
  readonly served: number;
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly clientErrors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly before: number | null;
}

const TIME_COLUMN: Column<Row> = {
  id: 'at',
  header: 'From',
  cell: ({ atMs }) => <Moment at={new Date(atMs).toISOString()} />,
};
/**
 * The column for days. They are in UTC, because in local time a day would begin on the previous one in western time
 * zones.
 */
const DAY_COLUMN: Column<Row> = { id: 'at', header: 'Day (UTC)', cell: ({ atMs }) => formatUtcDay(atMs) };

const FIGURE_COLUMNS: readonly Column<Row>[] = [
  { id: 'served', header: 'Served', numeric: true, cell: ({ served }) => formatCount(served) },
  { id: 'refused', header: 'Refused', numeric: true, cell: ({ refused }) => formatCount(refused) },
  { id: 'clientErrors', header: '4xx', numeric: true, cell: ({ clientErrors }) => formatCount(clientErrors) },
  { id: 'errors', header: 'Errors', numeric: true, cell: ({ errors }) => formatCount(errors) },
  { id: 'units', header: 'Units', numeric: true, hideBelow: 'narrow', cell: ({ units }) => formatCount(units) },
  {
    id: 'p50',
    header: 'p50',
    numeric: true,
    hideBelow: 'narrow',
    cell: ({ p50Ms }) => formatMillisecondsOrDash(p50Ms),
  },
  { id: 'p95', header: 'p95', numeric: true, cell: ({ p95Ms }) => formatMillisecondsOrDash(p95Ms) },
];

const PREVIOUS_COLUMN: Column<Row> = {
  id: 'before',
  header: 'Previous total',
  numeric: true,
  hideBelow: 'narrow',
  cell: ({ before }) => (before === null ? '–' : formatCount(before)),
};

interface Props {
  readonly points: TrafficPoints;
  readonly every: Resolution;
  /** The numbers of requests in the previous period. Undefined without a comparison. */
  readonly before: readonly (number | null)[] | undefined;
}

/** Lists the numbers of the charts, newest first. */
export function TrafficTable({ points, every, before }: Props) {
  return (
    <ChartTable
      summary={`Figures per ${formatIntervalLength(every)}`}
      caption={`Traffic per ${formatIntervalLength(every)}, newest first`}
      columns={[
        every === 'day' ? DAY_COLUMN : TIME_COLUMN,
        ...FIGURE_COLUMNS,
        ...(before === undefined ? [] : [PREVIOUS_COLUMN]),
      ]}
      rows={() => createRows(points, before)}
    />
  );
}

/** Creates the rows, except for intervals whose numbers are unknown. */
function createRows(points: TrafficPoints, before: Props['before']): Row[] {
  return points.at
    .map((atMs, index) => ({
      atMs,
      served: points.served[index] ?? 0,
      units: points.units[index] ?? 0,
      refused: points.refused[index] ?? 0,
      errors: points.errors[index] ?? 0,
      clientErrors: points.clientErrors[index] ?? 0,
      p50Ms: points.p50Ms[index] ?? null,
      p95Ms: points.p95Ms[index] ?? null,
      before: before?.[index] ?? null,
    }))
    .filter((_, index) => points.requests[index] !== null)
    .toReversed();
}

export function formatMillisecondsOrDash(ms: number | null): string {
  return ms === null ? '–' : formatMilliseconds(ms);
}
