import { useMutation } from '@tanstack/react-query';
import { RotateCw, Zap } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '../behavior/lazy-part.tsx';
import { plural } from '../format/number.ts';
import { Button } from '../ui/controls/button.tsx';
import { FilterSelect } from '../ui/controls/field.tsx';
import { toast } from '../ui/overlays/toast.tsx';
import { Freshness } from '../ui/page/freshness.tsx';
import { Section } from '../ui/page/page.tsx';
import { Toolbar } from '../ui/page/toolbar.tsx';
import { Empty, Loading, Note } from '../ui/page/states.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import {
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type ReadRequest,
  TEST_TIMEOUT_MS,
  type Webhook,
} from './webhook.ts';

// Loaded once somebody opens one.
const DeliveryDialog = lazyPart(async () => (await import('./delivery-dialog.tsx')).DeliveryDialog);

/** Pages of deliveries, as they are read. */
interface List {
  readonly data: { readonly pages: readonly { readonly items: readonly Delivery[] }[] } | undefined;
  readonly dataUpdatedAt: number;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

/** What of it stands in the address. */
export interface DeliveriesAt {
  readonly status: DeliveryStatus | undefined;
  /** The delivery that is open. */
  readonly delivery: string | undefined;
}

interface Props extends DeliveriesAt {
  readonly webhook: Pick<Webhook, 'status'>;
  readonly list: List;
  /** What is shown if they could not be read. */
  readonly failure: ReactNode;
  readonly readRequest: ReadRequest;
  /** Left out for those who may change nothing. */
  readonly redeliver?: (id: string) => Promise<unknown>;
  /** How to send the one that is open again from a terminal. */
  readonly command?: ReactNode;
  readonly onShow: (at: Partial<DeliveriesAt>) => void;
}

/** How far back a delivery is looked for that is linked to. */
const MAX_PAGES_SOUGHT = 20;

/** What was sent to a webhook, what came back, and sending it again. */
export function Deliveries(props: Props) {
  const { webhook, list, failure, readRequest, redeliver, command, status, delivery, onShow } = props;
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const opened = items.find(({ id }) => id === delivery);
  // A link may lead to one further back.
  const isMissing = delivery !== undefined && opened === undefined && data !== undefined;
  const isSought = isMissing && hasNextPage && data.pages.length < MAX_PAGES_SOUGHT;
  useEffect(() => {
    if (isSought && !isFetchingNextPage) fetchNextPage();
  }, [isSought, isFetchingNextPage, fetchNextPage]);
  const { isAwaited, awaitAttempt } = useNextAttempt(opened, list);
  const again = async (id: string) => {
    await redeliver?.(id);
    awaitAttempt();
    // It is in another state now: a filter would take it away from under its reader.
    onShow({ status: undefined });
  };
  return (
    <Section title="Deliveries" aside={<Freshness query={list} />}>
      <Toolbar>
        <FilterSelect
          label="State"
          value={status ?? ''}
          options={DELIVERY_STATUSES}
          onChange={(value) => onShow({ status: value === '' ? undefined : (value as DeliveryStatus) })}
        />
        {redeliver !== undefined && webhook.status !== 'disabled' && (
          <SendAll deliveries={items} redeliver={redeliver} />
        )}
      </Toolbar>
      {data === undefined && (list.isError ? failure : <Loading rows={4} label="Loading the deliveries" />)}
      {data !== undefined && items.length === 0 && <Nothing isFiltered={status !== undefined} />}
      {isMissing && !isSought && <Note>The linked delivery was deleted, or is too old.</Note>}
      {items.length > 0 && <DeliveryTable deliveries={items} onOpen={(id) => onShow({ delivery: id })} onEnd={more} />}
      {opened !== undefined && (
        <DeliveryDialog
          readRequest={readRequest}
          delivery={opened}
          isDisabled={webhook.status === 'disabled'}
          isAwaited={isAwaited}
          redeliver={redeliver === undefined ? undefined : again}
          onClose={() => onShow({ delivery: undefined })}
        >
          {command}
        </DeliveryDialog>
      )}
    </Section>
  );
}

/** Sends the listed ones that did not arrive, one after the other: for when the receiver works again. */
function SendAll({
  deliveries,
  redeliver,
}: {
  readonly deliveries: readonly Delivery[];
  readonly redeliver: (id: string) => Promise<unknown>;
}) {
  const missing = deliveries.filter(({ status, type }) => status !== 'delivered' && type !== 'webhook.test');
  const sending = useMutation({
    mutationFn: async () => {
      for (const { id } of missing) await redeliver(id);
      return missing.length;
    },
    onSuccess: (sent) => toast({ message: `Sending ${plural(sent, 'event')} again`, undo: null }),
    onError: ({ message }) => toast({ tone: 'failed', message }),
  });
  if (missing.length < 2) return null;
  return (
    <Button icon={RotateCw} disabled={sending.isPending} onClick={() => sending.mutate()}>
      {sending.isPending ? 'Sending…' : `Send the ${missing.length} undelivered again`}
    </Button>
  );
}

const OUTCOME_EVERY_MS = 500;

/** Reads the deliveries often until the one that was sent again has another attempt, or it takes too long. */
function useNextAttempt(opened: Delivery | undefined, { isFetching, refetch }: List) {
  const [awaited, setAwaited] = useState<{ readonly id: string; readonly known: number } | null>(null);
  const isAwaited = awaited !== null && awaited.id === opened?.id && opened.attempts.length === awaited.known;
  useEffect(() => {
    if (!isAwaited || isFetching) return undefined;
    const timer = setTimeout(refetch, OUTCOME_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, isFetching, refetch]);
  useEffect(() => {
    if (awaited === null) return undefined;
    const timer = setTimeout(() => setAwaited(null), TEST_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [awaited]);
  const awaitAttempt = () => setAwaited(opened === undefined ? null : { id: opened.id, known: opened.attempts.length });
  return { isAwaited, awaitAttempt };
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty icon={Zap} title={isFiltered ? 'No matching deliveries' : 'Nothing sent yet'}>
      {isFiltered
        ? 'Deliveries are kept as long as their events. Remove the filter to see the others.'
        : 'Every event sent to this webhook is listed here with the response, for as long as the event is kept.'}
    </Empty>
  );
}
