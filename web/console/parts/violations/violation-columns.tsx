import { formatCount } from '../../../shared/format/number.ts';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';

interface Figures {
  readonly requests: number;
  readonly refused: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** The counts of requests that did not fit, and the times of the first and the last one. */
export const FIGURE_COLUMNS: readonly Column<Figures>[] = [
  { id: 'requests', header: 'Requests', numeric: true, width: '92px', cell: ({ requests }) => formatCount(requests) },
  {
    id: 'refused',
    header: 'Refused',
    numeric: true,
    width: '84px',
    hideBelow: 'medium',
    cell: ({ refused }) => formatCount(refused),
  },
  { id: 'first', header: 'First', width: '116px', hideBelow: 'wide', cell: ({ firstAt }) => <Time at={firstAt} /> },
  { id: 'last', header: 'Last', width: '116px', cell: ({ lastAt }) => <Time at={lastAt} /> },
];
