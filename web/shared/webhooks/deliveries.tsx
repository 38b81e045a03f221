import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCw, Zap } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useNextPage } from '../behavior/next-page.ts';
import { pluralize } from '../format/number.ts';
import type { Change } from '../transport/change.ts';
import { Button } from '../ui/controls/button.tsx';
import { FilterSelect } from '../ui/controls/field.tsx';
import { toast } from '../ui/overlays/toast.tsx';
import { Freshness } from '../ui/page/freshness.tsx';
import { Section } from '../ui/page/page.tsx';
import { Toolbar } from '../ui/page/toolbar.tsx';
import { Empty, Loading, Note } from '../ui/page/states.tsx';
import { deliveriesQuery, type ReadDeliveries } from './deliveries-query.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { DeliveryDialog } from './lazy-dialogs.ts';
import { redeliver } from './webhook-changes.ts';
import {
  type Delivery,
  DELIVERY_STATUSES,
  parseDeliveryStatus,
  type ReadRequest,
  TEST_TIMEOUT_MS,
  type Webhook,
} from './webhook.ts';

interface FailureProps {
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  /** Completes the message "… could not be loaded", such as "the deliveries". */
  readonly what: string;
}

interface Props {
  readonly webhook: Pick<Webhook, 'id' | 'status'>;
  readonly readDeliveries: ReadDeliveries;
  readonly readRequest: ReadRequest;
  readonly ReadFailure: ComponentType<FailureProps>;
  /** Sends a delivery again. Undefined for users who may not make changes. */
  readonly send: ((change: Change<Delivery>) => Promise<Delivery>) | undefined;
  /** Renders the `tollgate` command that sends a delivery again. */
  readonly command?: (deliveryId: string) => ReactNode;
}

/** The maximum number of pages that are searched for the delivery in the URL. */
const MAX_PAGES_SOUGHT = 20;

/** Lists the deliveries of a webhook with their responses, and lets the user send them again. */
export function Deliveries({ webhook, readDeliveries, readRequest, ReadFailure, send, command }: Props) {
  const search = useSearch({ from: '/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const show = (change: typeof search) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const status = parseDeliveryStatus(search.status);
  const list = useInfiniteQuery(deliveriesQuery(readDeliveries, webhook.id, status));
  const { data, hasNextPage } = list;
  const more = useNextPage(list);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const opened = items.find(({ id }) => id === search.delivery);
  // The linked delivery may be older than the first page, so load further pages until it is found.
  const isMissing = search.delivery !== undefined && opened === undefined && data !== undefined;
  const isSought = isMissing && hasNextPage && data.pages.length < MAX_PAGES_SOUGHT;
  useEffect(() => {
    if (isSought) more();
  }, [isSought, more]);
  const { isAwaited, awaitAttempt } = useNextAttempt(opened, list);
  const queries = useQueryClient();
  const sendAgain =
    send &&
    (async (id: string) => {
      await send(redeliver(id)).finally(() => void queries.invalidateQueries({ queryKey: ['webhooks'] }));
    });
  const sendOpenedAgain =
    sendAgain &&
    (async (id: string) => {
      await sendAgain(id);
      awaitAttempt();
      // Remove the filter by status. The delivery has another status now, so the filter would hide it while the user
      // looks at it.
      show({ status: undefined });
    });
  return (
    <Section title="Deliveries" aside={<Freshness query={list} />}>
      <Toolbar
        aside={
          sendAgain !== undefined &&
          webhook.status !== 'disabled' && <SendAll deliveries={items} sendAgain={sendAgain} />
        }
      >
        <FilterSelect
          label="State"
          value={status ?? ''}
          options={DELIVERY_STATUSES}
          onChange={(value) => show({ status: value === '' ? undefined : value })}
        />
      </Toolbar>
      {list.isPending && <Loading rows={4} label="Loading the deliveries" />}
      {list.isError && data === undefined && <ReadFailure query={list} what="the deliveries" />}
      {data !== undefined && items.length === 0 && <Nothing isFiltered={status !== undefined} />}
      {isMissing && !isSought && <Note>The linked delivery was deleted, or is too old.</Note>}
      {items.length > 0 && <DeliveryTable deliveries={items} onOpen={(id) => show({ delivery: id })} onEnd={more} />}
      {opened !== undefined && (
        <DeliveryDialog
          readRequest={readRequest}
          delivery={opened}
          isDisabled={webhook.status === 'disabled'}
          isAwaited={isAwaited}
          sendAgain={sendOpenedAgain}
          onClose={() => show({ delivery: undefined })}
        >
          {command?.(opened.id)}
        </DeliveryDialog>
      )}
    </Section>
  );
}

/** Sends the listed undelivered events again, one after another. For use once the receiver works again. */
function SendAll({
  deliveries,
  sendAgain,
}: {
  readonly deliveries: readonly Delivery[];
  readonly sendAgain: (id: string) => Promise<void>;
}) {
  const missing = deliveries.filter(({ status, type }) => status !== 'delivered' && type !== 'webhook.test');
  const sending = useMutation({
    mutationFn: async () => {
      for (const { id } of missing) await sendAgain(id);
      return missing.length;
    },
    onSuccess: (sent) => toast({ message: `Sending ${pluralize(sent, 'event')} again`, undo: null }),
    onError: ({ message }) => toast({ tone: 'failed', message }),
  });
  if (missing.length < 2) return null;
  return (
    <Button icon={RotateCw} disabled={sending.isPending} onClick={() => sending.mutate()}>
      {sending.isPending ? 'Sending…' : `Send ${missing.length} undelivered events again`}
    </Button>
  );
}

const OUTCOME_EVERY_MS = 500;

/**
 * Reloads the deliveries at short intervals until the delivery that was sent again has another attempt, or a time limit
 * has passed.
 */
function useNextAttempt(
  opened: Delivery | undefined,
  { isFetching, refetch }: { readonly isFetching: boolean; readonly refetch: () => unknown },
) {
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
