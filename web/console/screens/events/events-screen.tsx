import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { useCallback } from 'react';
import { lazyPart } from '../../../shared/behaviour/lazy-part.tsx';
import { useRowShortcuts } from '../../../shared/behaviour/row-shortcuts.ts';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { eventsQuery } from '../../api/events/events.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { EventTable } from './event-table.tsx';
import { EventsToolbar } from './events-toolbar.tsx';

// Loaded once somebody opens one.
const EventDialog = lazyPart(async () => (await import('./event-dialog.tsx')).EventDialog);

/** What happened? */
export function EventsScreen() {
  const { event, ...filters } = useSearch({ from: '/events' });
  const navigate = useNavigate({ from: '/events' });
  const list = useInfiniteQuery(eventsQuery(filters));
  const events = list.data?.pages.flatMap(({ items }) => items);
  const opened = events?.find(({ id }) => id === event);
  const open = (id: string | undefined) => void navigate({ search: (all) => ({ ...all, event: id }), replace: true });
  useRowShortcuts();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Page
      title="Events"
      answer={
        <p>
          What happened, as those are told who asked to be, by{' '}
          <Link to="/webhooks" className={parts.inText}>
            webhooks
          </Link>
          .
        </p>
      }
      actions={<Freshness query={list} />}
    >
      <EventsToolbar filters={filters} />
      {list.isPending && <Loading label="Loading the events" />}
      {list.isError && events === undefined && <ReadFailure query={list} what="The events" />}
      {events?.length === 0 && <NoEvents filtered={Object.keys(filters).length > 0} />}
      {events !== undefined && events.length > 0 && <EventTable events={events} onOpen={open} onEnd={more} />}
      {isFetchingNextPage && <Loading rows={2} label="Loading more events" />}
      {opened !== undefined && <EventDialog event={opened} onClose={() => open(undefined)} />}
    </Page>
  );
}

function NoEvents({ filtered }: { readonly filtered: boolean }) {
  return (
    <Empty icon={Zap} title={filtered ? 'No event matches' : 'Nothing happened yet'}>
      {filtered ? (
        'A subject is matched whole: the id of a key, a plan, a webhook. Take a filter away to see more.'
      ) : (
        <>
          <p>
            When a key is made, a quota runs out, a ban begins, or a service tells something, it stands here for 30 days
            or as the configuration says. To see them as they come:
          </p>
          <code>tollgate events listen</code>
        </>
      )}
    </Empty>
  );
}
