import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type EventFilters, eventsQuery } from '../../api/events/events.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { useFoldedPages } from '../../../shared/behavior/next-page.ts';
import parts from '../../parts/parts.module.css';
import { EventTable } from './event-table.tsx';
import { EventsToolbar } from './events-toolbar.tsx';

// Loaded when the first event is opened.
const EventDialog = lazyPart(async () => (await import('./event-dialog.tsx')).EventDialog);

/** Lists what happened. */
export function EventsScreen() {
  const { event, sort: _, ...filters } = useSearch({ from: '/events' });
  const sorting = useSortInUrl('-written');
  const navigate = useNavigate({ from: '/events' });
  const list = useInfiniteQuery(eventsQuery(filters, sorting.sort));
  const events = list.data?.pages.flatMap(({ items }) => items);
  const opened = events?.find(({ id }) => id === event);
  const open = (id: string | undefined) => void navigate({ search: (all) => ({ ...all, event: id }), replace: true });
  useRowShortcuts();
  const { more, readOn } = useFoldedPages(list);
  return (
    <ListPage
      title="Events"
      summary={
        <p>
          What happened in the gateway and its services.{' '}
          <Link to="/webhooks" className={parts.inText}>
            Webhooks
          </Link>{' '}
          deliver these events.
        </p>
      }
      actions={<Freshness query={list} />}
    >
      <EventsToolbar filters={filters} />
      {list.isPending && <Loading label="Loading the events" />}
      {list.isError && events === undefined && <ReadFailure query={list} what="the events" />}
      {events?.length === 0 && <NoEvents filters={filters} />}
      {events !== undefined && events.length > 0 && (
        <EventTable events={events} onOpen={open} sorting={sorting} onEnd={more} />
      )}
      {readOn !== undefined && (
        <div>
          <Button onClick={readOn}>Show older events</Button>
        </div>
      )}
      {list.isFetchingNextPage && <Loading rows={2} label="Loading more events" />}
      {opened !== undefined && <EventDialog event={opened} onClose={() => open(undefined)} />}
    </ListPage>
  );
}

function NoEvents({ filters }: { readonly filters: EventFilters }) {
  const filtered = Object.keys(filters).length > 0;
  return (
    <Empty icon={Zap} title={filtered ? 'No matching events' : 'No events yet'} action={filtered && <ClearFilters />}>
      {filtered ? (
        filters.subject === undefined ? (
          'No event was of this type in this time.'
        ) : (
          'The subject is matched exactly: the id of a key, a plan or a webhook.'
        )
      ) : (
        <>
          <p>
            When a key is created, a quota runs out, a ban begins, or a service publishes an event, it is listed here
            for 30 days, unless configured otherwise. To follow events from a terminal:
          </p>
          <code>tollgate events listen</code>
        </>
      )}
    </Empty>
  );
}
