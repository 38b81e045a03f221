import { pluralize } from '../../../shared/format/number.ts';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import { type Column, DataTable, type Sorting } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { Event } from '../../api/events/events.ts';
import { OwnerByName } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { type EventRun, foldEvents } from './event-runs.ts';
import { EventSummary } from './event-summary.tsx';

interface Props {
  readonly events: readonly Event[];
  readonly onOpen: (id: string) => void;
  readonly sorting: Sorting;
  readonly onEnd: () => void;
}

const columns: readonly Column<EventRun>[] = [
  {
    id: 'what',
    header: 'What happened',
    cell: ({ event, isWarned, alike }) => (
      <>
        <EventSummary event={event} />
        {(isWarned || alike > 0) && (
          <span className={parts.below}>
            {[isWarned && '80% was reached just before', alike > 0 && pluralize(alike, 'more time')]
              .filter(Boolean)
              .join(', and ')}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    width: '15%',
    hideBelow: 'medium',
    text: ({ event: { owner } }) => owner ?? '',
    cell: ({ event: { owner } }) =>
      owner === null ? <span className={parts.muted}>–</span> : <OwnerByName owner={owner} />,
  },
  {
    id: 'at',
    header: 'Time',
    orderNote: 'In the order in which they were recorded: a service may publish an event later than it happened.',
    sortKey: 'written',
    descendsFirst: true,
    width: '130px',
    hideBelow: 'narrow',
    cell: ({ event: { at } }) => <Time at={at} />,
  },
];

/** Lists events. A row opens the data of its event. */
export function EventTable({ events, onOpen, sorting, onEnd }: Props) {
  const type: Column<EventRun> = {
    id: 'type',
    header: 'Type',
    width: 'clamp(140px, 16vw, 210px)',
    cell: ({ event }) => (
      <>
        <button type="button" className={parts.open} data-row-link onClick={() => onOpen(event.id)}>
          <code>
            <BreakableCode text={event.type} />
          </code>
        </button>
        {event.source !== 'gateway' && (
          <div className={parts.detail}>
            from <bdi>{event.source}</bdi>
          </div>
        )}
        <span className={parts.onPhones}>
          <Time at={event.at} />
          {event.owner !== null && (
            <>
              {' · '}
              <OwnerByName owner={event.owner} />
            </>
          )}
        </span>
      </>
    ),
  };
  return (
    <DataTable
      caption="Events, in the order in which they were recorded"
      sorting={sorting}
      columns={[type, ...columns]}
      rows={foldEvents(events)}
      rowId={({ event: { id } }) => id}
      onEnd={onEnd}
    />
  );
}
