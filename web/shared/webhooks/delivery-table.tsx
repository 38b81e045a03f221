import { formatMilliseconds } from '../format/number.ts';
import { type Column, DataTable } from '../ui/data/data-table.tsx';
import { Time } from '../ui/data/time.tsx';
import { DeliveryState } from './delivery-state.tsx';
import type { Delivery } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly onOpen: (id: string) => void;
  readonly onEnd?: () => void;
}

const columns: readonly Column<Delivery>[] = [
  {
    id: 'answer',
    header: 'Response',
    hideBelow: 'narrow',
    cell: (delivery) => <DeliveryResponse delivery={delivery} />,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    numeric: true,
    width: '92px',
    hideBelow: 'wide',
    cell: ({ attempts }) => attempts.length,
  },
  { id: 'took', header: 'Duration', numeric: true, width: '90px', hideBelow: 'wide', cell: formatDuration },
  {
    id: 'next',
    header: 'Next attempt',
    width: '142px',
    hideBelow: 'medium',
    cell: ({ dueAt }) => (dueAt === null ? '–' : Date.parse(dueAt) <= Date.now() ? 'due' : <Time at={dueAt} />),
  },
  {
    id: 'made',
    header: 'When',
    width: '142px',
    hideBelow: 'narrow',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Lists the deliveries of a webhook. Opening a row shows its attempts. */
export function DeliveryTable({ deliveries, onOpen, onEnd }: Props) {
  const first: readonly Column<Delivery>[] = [
    { id: 'type', header: 'Type', cell: (delivery) => <Type delivery={delivery} onOpen={onOpen} /> },
    { id: 'status', header: 'State', width: '126px', cell: (delivery) => <DeliveryState delivery={delivery} /> },
  ];
  return (
    <DataTable
      caption="Deliveries, newest first"
      columns={[...first, ...columns]}
      rows={deliveries}
      rowId={({ id }) => id}
      onEnd={onEnd}
    />
  );
}

/** The type of the event. On a phone, which hides these columns, the response and the time are below it. */
function Type({ delivery, onOpen }: { readonly delivery: Delivery; readonly onOpen: Props['onOpen'] }) {
  return (
    <>
      <button type="button" className={styles.open} data-row-link onClick={() => onOpen(delivery.id)}>
        <code>{delivery.type}</code>
      </button>
      <div className={styles.onPhones}>
        <DeliveryResponse delivery={delivery} />, <Time at={delivery.createdAt} />
      </div>
    </>
  );
}

function DeliveryResponse({ delivery: { attempts } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  if (last === undefined) return <span className={styles.detail}>not sent yet</span>;
  return last.status ?? <span className={styles.detail}>{last.error}</span>;
}

function formatDuration({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last === undefined ? '–' : formatMilliseconds(last.durationMs);
}
