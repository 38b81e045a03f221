import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortenId } from '../../../shared/format/id.ts';
import { formatWebhookName } from '../../../shared/webhooks/webhook.ts';
import { webhookQuery } from '../../api/events/webhooks.ts';

/**
 * Links to a webhook by its name, or by its id until the name is known. With `delivery`, the link opens that delivery.
 */
export function WebhookName({ id, delivery }: { readonly id: string; readonly delivery?: string }) {
  const webhook = useQuery({ ...webhookQuery(id), staleTime: MINUTE_MS, refetchInterval: false }).data;
  return (
    <Link to="/webhooks/$id" params={{ id }} search={{ delivery }} title={webhook?.url ?? id}>
      {webhook === undefined ? <code>{shortenId(id)}</code> : <bdi>{formatWebhookName(webhook)}</bdi>}
    </Link>
  );
}
