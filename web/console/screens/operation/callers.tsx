import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Download, PhoneOff } from 'lucide-react';
import { useCallback } from 'react';
import { toCsv } from '../../../shared/format/csv.ts';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { count, plural } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { saveFile } from '../../../shared/behaviour/save-file.ts';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { answerOf } from '../../../shared/transport/fetch.ts';
import { api } from '../../api/transport/client.ts';
import type { paths } from '../../api/transport/schema.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyName } from '../../parts/keys/key-name.tsx';

/** The same is there as CSV, which is not asked for here. */
type CallersPage = paths['/operations/{id}/callers']['get']['responses'][200]['content']['application/json'];
type Caller = CallersPage['items'][number];

const PAGE_SIZE = 1000;

const callersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['callers', id],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE_SIZE, cursor };
      return (await answerOf(
        api.GET('/operations/{id}/callers', { params: { path: { id }, query }, signal }),
      )) as CallersPage;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: MINUTE_MS,
  });

const columns: readonly Column<Caller>[] = [
  { id: 'key', header: 'Key', cell: ({ key }) => <KeyName id={key} withOwner={false} /> },
  {
    id: 'owner',
    header: 'Owner',
    hideBelow: 'narrow',
    width: '20%',
    cell: ({ owner }) => <bdi>{owner ?? 'unknown'}</bdi>,
  },
  { id: 'plan', header: 'Plan', hideBelow: 'medium', width: '110px', cell: ({ plan }) => plan ?? '–' },
  { id: 'first', header: 'First', hideBelow: 'medium', width: '130px', cell: ({ firstAt }) => <Time at={firstAt} /> },
  { id: 'last', header: 'Last', width: '130px', cell: ({ lastAt }) => <Time at={lastAt} /> },
  { id: 'requests', header: 'Requests', numeric: true, width: '100px', cell: ({ requests }) => count(requests) },
];

/** Every key that ever called an operation, with the owner to talk to before it goes away. */
export function Callers({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(callersQuery(id));
  const callers = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Section
      title={
        list.data === undefined
          ? 'Callers'
          : `Called by ${plural(callers.length, 'key')}${hasNextPage ? ' or more' : ''}`
      }
      aside={
        callers.length > 0 && (
          <Button icon={Download} onClick={() => save(id, callers)}>
            Export CSV
          </Button>
        )
      }
    >
      {list.isPending && <Loading rows={4} label="Loading the callers" />}
      {list.isError && list.data === undefined && <ReadFailure query={list} what="The callers" />}
      {list.data !== undefined && callers.length === 0 && (
        <Empty icon={PhoneOff} title="Nobody ever called it">
          As far as keys are known: calls without one are not listed.
        </Empty>
      )}
      {callers.length > 0 && (
        <DataTable
          caption="Callers, newest first"
          columns={columns}
          rows={callers}
          rowId={({ key }) => key}
          onEnd={more}
        />
      )}
    </Section>
  );
}

function save(id: string, callers: readonly Caller[]): void {
  const rows = callers.map(({ key, owner, plan, firstAt, lastAt, requests }) => [
    key,
    owner,
    plan,
    firstAt,
    lastAt,
    requests,
  ]);
  saveFile(`callers-of-${id}.csv`, toCsv(['key', 'owner', 'plan', 'firstAt', 'lastAt', 'requests'], rows), 'text/csv');
}
