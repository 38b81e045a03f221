import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { Event } from '../../api/events/events.ts';
import { OwnerLink } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { SubjectLink } from './subject-link.tsx';

interface Props {
  readonly events: readonly Event[];
  readonly onOpen: (id: string) => void;
  readonly onEnd: () => void;
}

const columns: readonly Column<Event>[] = [
  { id: 'subject', header: 'Subject', cell: (event) => <SubjectLink event={event} /> },
  {
    id: 'owner',
    header: 'Owner',
    hideBelow: 'medium',
    cell: ({ owner }) => (owner === null ? <span className={parts.muted}>–</span> : <OwnerLink owner={owner} />),
  },
  { id: 'source', header: 'Source', width: '130px', hideBelow: 'medium', cell: ({ source }) => <bdi>{source}</bdi> },
  { id: 'at', header: 'Time', width: '130px', hideBelow: 'narrow', cell: ({ at }) => <Time at={at} /> },
];

/** A row opens the data of the event. */
export function EventTable({ events, onOpen, onEnd }: Props) {
  const type: Column<Event> = {
    id: 'type',
    header: 'Type',
    cell: (event) => (
      <>
        <button type="button" className={parts.open} data-row-link onClick={() => onOpen(event.id)}>
          <code>{event.type}</code>
        </button>
        <span className={parts.onPhones}>
          <Time at={event.at} />
        </span>
      </>
    ),
  };
  return (
    <DataTable
      caption="Events, newest first"
      columns={[type, ...columns]}
      rows={events}
      rowId={({ id }) => id}
      onEnd={onEnd}
    />
  );
}
