import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Check, Copy, PhoneOff } from 'lucide-react';
import { useMemo } from 'react';
import { formatCsvLine } from '../../../../src/base/portable/csv-line.ts';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { useCopy } from '../../../shared/ui/controls/copy.tsx';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { readResponse } from '../../../shared/transport/fetch.ts';
import { api } from '../../api/transport/client.ts';
import { readAll } from '../../api/transport/read-all.ts';
import type { paths } from '../../api/transport/schema.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyName } from '../../parts/keys/key-name.tsx';
import { PlanNames, usePlanNames } from '../../parts/plan-link.tsx';
import { useLinkedPart } from './linked-part.ts';
import styles from './operation-screen.module.css';
import { SaveCsv } from '../../../shared/ui/overlays/save-csv.tsx';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

/** A page of callers as JSON. The API also responds with CSV, which is not requested here. */
type CallersPage = paths['/operations/{id}/callers']['get']['responses'][200]['content']['application/json'];
type Caller = CallersPage['items'][number];

const PAGE_SIZE = 1000;

async function readCallers(id: string, cursor?: string, signal?: AbortSignal): Promise<CallersPage> {
  const query = { limit: PAGE_SIZE, cursor };
  const response = api.GET('/operations/{id}/callers', { params: { path: { id }, query }, signal });
  return (await readResponse(response)) as CallersPage;
}

const callersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['callers', id],
    queryFn: ({ pageParam: cursor, signal }) => readCallers(id, cursor, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: MINUTE_MS,
  });

const columnsWith = (planName: (id: string) => string): readonly Column<Caller>[] => [
  { id: 'key', header: 'Key', cell: ({ key }) => <KeyName id={key} /> },
  {
    id: 'email',
    header: 'Email',
    hideBelow: 'narrow',
    text: ({ email }) => email ?? '–',
    cell: ({ email }) => (email === null ? '–' : <bdi>{email}</bdi>),
  },
  {
    id: 'plan',
    header: 'Plan',
    hideBelow: 'medium',
    text: ({ plan }) => (plan === null ? '–' : planName(plan)),
    cell: ({ plan }) => (plan === null ? '–' : <PlanNames ids={[plan]} />),
  },
  { id: 'first', header: 'First', hideBelow: 'wide', width: '130px', cell: ({ firstAt }) => <Time at={firstAt} /> },
  { id: 'last', header: 'Last', width: '130px', cell: ({ lastAt }) => <Time at={lastAt} /> },
  { id: 'requests', header: 'Requests', numeric: true, width: '100px', cell: ({ requests }) => formatCount(requests) },
];

/**
 * Lists every key that ever called an operation, with its owner, who can be contacted before the operation is removed.
 */
export function Callers({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(callersQuery(id));
  const callers = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage } = list;
  const part = useLinkedPart('callers', list.data !== undefined);
  const more = useNextPage(list);
  const planName = usePlanNames();
  const columns = useMemo(() => columnsWith(planName), [planName]);
  return (
    <div ref={part} className={styles.part}>
      <Section
        title={
          list.data === undefined
            ? 'Callers'
            : `Called by ${pluralize(callers.length, 'key')}${hasNextPage ? ' or more' : ''} so far`
        }
        aside={
          callers.length > 0 && (
            <span className={styles.heading}>
              {!hasNextPage && <CopyEmails callers={callers} />}
              <SaveCsv
                file={`callers-of-${id}.csv`}
                read={async (onProgress) => callersCsv(await readAll((cursor) => readCallers(id, cursor), onProgress))}
              />
            </span>
          )
        }
      >
        {list.isPending && <Loading rows={4} label="Loading the callers" />}
        {list.isError && list.data === undefined && <ReadFailure query={list} what="the callers" />}
        {list.data !== undefined && callers.length === 0 && (
          <Empty icon={PhoneOff} title="No calls with a key yet">
            Calls without a key are not listed.
          </Empty>
        )}
        {callers.length > 0 && (
          <FittedTable
            caption="Callers, newest first"
            columns={columns}
            rows={callers}
            rowId={({ key }) => key}
            order="-last"
            onEnd={more}
          />
        )}
      </Section>
    </div>
  );
}

/** A button that copies the email addresses of the owners' accounts, to write to all of them. */
function CopyEmails({ callers }: { readonly callers: readonly Caller[] }) {
  const emails = [...new Set(callers.flatMap(({ email }) => email ?? []))];
  const [copied, copy] = useCopy(emails.join(', '));
  if (emails.length === 0) return null;
  return (
    <Button icon={copied ? Check : Copy} onClick={copy}>
      {copied ? 'Copied' : `Copy ${pluralize(emails.length, 'email address', 'email addresses')}`}
    </Button>
  );
}

function callersCsv(callers: readonly Caller[]): string {
  const rows = callers.map(({ key, owner, email, plan, firstAt, lastAt, requests }) => {
    return [key, owner, email, plan, firstAt, lastAt, requests];
  });
  return [['key', 'owner', 'email', 'plan', 'firstAt', 'lastAt', 'requests'], ...rows].map(formatCsvLine).join('');
}
