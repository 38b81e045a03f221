import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Deliveries as DeliveriesOf } from '../../../shared/webhooks/deliveries.tsx';
import { type LatestDelivery, latestOf } from '../../../shared/webhooks/webhook-state.tsx';
import { deliveryStatusFrom } from '../../../shared/webhooks/webhook.ts';
import { deliveriesQuery, readRequest, redeliver, type Webhook } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const search = useSearch({ from: '/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const status = deliveryStatusFrom(search.status);
  const list = useInfiniteQuery(deliveriesQuery(webhook.id, status));
  const changed = useChanged();
  return (
    <DeliveriesOf
      webhook={webhook}
      list={list}
      failure={<ReadFailure query={list} what="the deliveries" />}
      readRequest={readRequest}
      redeliver={(id) => redeliver(id).finally(changed)}
      status={status}
      delivery={search.delivery}
      onShow={(at) => void navigate({ search: (all) => ({ ...all, ...at }), replace: true })}
    />
  );
}

/** How the latest delivery went; undefined until it is known. */
export function useLatestDelivery(id: string): LatestDelivery | undefined {
  const list = useInfiniteQuery(deliveriesQuery(id));
  return list.data === undefined ? undefined : latestOf(list.data.pages.flatMap(({ items }) => items));
}

/** Reads webhooks and deliveries again, after a change. */
export function useChanged(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['webhooks'] });
}
