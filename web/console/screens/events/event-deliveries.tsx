import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { DeliveryState } from '../../../shared/webhooks/delivery-state.tsx';
import { type Delivery, eventDeliveriesQuery } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { WebhookName } from '../../parts/webhooks/webhook-name.tsx';
import styles from './event-deliveries.module.css';

/** Lists the deliveries of an event and their results. */
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
    return <p className={styles.detail}>When it happened, no webhook was subscribed to this type of event.</p>;
  return (
    <ul className={styles.list}>
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <div>
            <WebhookName id={delivery.webhookId} delivery={delivery.id} />
            <Last delivery={delivery} />
          </div>
          <DeliveryState delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

/** Shows the result and time of the last attempt, and the time of the next one. */
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
