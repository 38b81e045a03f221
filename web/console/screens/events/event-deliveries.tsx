import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortId } from '../../../shared/format/id.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { DeliveryState } from '../../../shared/webhooks/delivery-state.tsx';
import { nameOf } from '../../../shared/webhooks/webhook.ts';
import { type Delivery, eventDeliveriesQuery, webhookQuery } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import styles from './event-deliveries.module.css';

/** The deliveries of an event, and their results. */
export function EventDeliveries({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(eventDeliveriesQuery(id));
  return (
    <section aria-label="Deliveries of this event" className={styles.section}>
      <h3>Deliveries</h3>
      {list.isPending && <Loading rows={2} label="Loading the deliveries" />}
      {list.isError && list.data === undefined && <ReadFailure query={list} what="the deliveries" />}
      {list.data !== undefined && <Told deliveries={list.data.pages.flatMap(({ items }) => items)} />}
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
          Show more
        </Button>
      )}
    </section>
  );
}

function Told({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0)
    return <p className={styles.detail}>No webhook was subscribed to it when it happened.</p>;
  return (
    <ul className={styles.list}>
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <div>
            <WebhookLink delivery={delivery} />
            <Last delivery={delivery} />
          </div>
          <DeliveryState delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

/** A webhook by its name, or its id until that is known; leads to all attempts. */
function WebhookLink({ delivery: { id, webhookId } }: { readonly delivery: Delivery }) {
  const webhook = useQuery({ ...webhookQuery(webhookId), staleTime: MINUTE_MS, refetchInterval: false });
  return (
    <Link
      to="/webhooks/$id"
      params={{ id: webhookId }}
      search={{ delivery: id }}
      title={webhook.data?.url ?? webhookId}
    >
      {webhook.data === undefined ? <code>{shortId(webhookId)}</code> : <bdi>{nameOf(webhook.data)}</bdi>}
    </Link>
  );
}

/** How the last attempt went, and when; when the next one is due. */
function Last({ delivery: { attempts, createdAt, dueAt } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <p className={styles.detail}>
      {last === undefined ? 'waiting to be sent since ' : `${last.status ?? last.error}, `}
      <Time at={last?.at ?? createdAt} />
      {last !== undefined && dueAt !== null && (
        <>
          {', next attempt '}
          <Time at={dueAt} />
        </>
      )}
    </p>
  );
}
