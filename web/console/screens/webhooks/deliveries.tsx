import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Deliveries as DeliveriesOf } from '../../../shared/webhooks/deliveries.tsx';
import { type LatestDelivery, latestOf } from '../../../shared/webhooks/webhook-state.tsx';
import { deliveryStatusFrom } from '../../../shared/webhooks/webhook.ts';
import { AsCommand } from '../../actions/dialog/as-command.tsx';
import { deliveriesQuery, readRequest, redeliver, type Webhook } from '../../api/events/webhooks.ts';
import { send } from '../../api/transport/client.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session-context.ts';

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const search = useSearch({ from: '/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const status = deliveryStatusFrom(search.status);
  const list = useInfiniteQuery(deliveriesQuery(webhook.id, status));
  const { canChange } = useSession();
  const queries = useQueryClient();
  const again = (id: string) =>
    send(redeliver(id)).finally(() => void queries.invalidateQueries({ queryKey: ['webhooks'] }));
  return (
    <DeliveriesOf
      webhook={webhook}
      list={list}
      failure={<ReadFailure query={list} what="the deliveries" />}
      readRequest={readRequest}
      redeliver={canChange ? again : undefined}
      command={canChange && search.delivery !== undefined && <AgainAsCommand id={search.delivery} />}
      status={status}
      delivery={search.delivery}
      onShow={(at) => void navigate({ search: (all) => ({ ...all, ...at }), replace: true })}
    />
  );
}

function AgainAsCommand({ id }: { readonly id: string }) {
  return <AsCommand change={redeliver(id)} command={tollgateLine(['webhooks', 'redeliver', id], {})} />;
}

/** How the latest delivery went; undefined until it is known. */
export function useLatestDelivery(id: string): LatestDelivery | undefined {
  const list = useInfiniteQuery(deliveriesQuery(id));
  return list.data === undefined ? undefined : latestOf(list.data.pages.flatMap(({ items }) => items));
}
