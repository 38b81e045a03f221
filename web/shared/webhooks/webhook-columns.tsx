import { Link } from '@tanstack/react-router';
import type { Column } from '../ui/data/data-table.tsx';
import { Time } from '../ui/data/time.tsx';
import { formatTypes } from './type-groups.ts';
import { WebhookState } from './webhook-state.tsx';
import { shortenUrl, type Webhook } from './webhook.ts';
import styles from './webhooks.module.css';

/** The columns of webhook lists in both sites. */
export const webhookColumns = {
  name: { id: 'url', header: 'Webhook', sortKey: 'name', cell: (webhook) => <Name webhook={webhook} /> },
  status: {
    id: 'state',
    header: 'Status',
    sortKey: 'status',
    descendsFirst: true,
    width: '150px',
    cell: (webhook) => <WebhookState webhook={webhook} withReason />,
  },
  types: {
    id: 'types',
    header: 'Events',
    hideBelow: 'medium',
    cell: ({ types }) => <span title={types.join(', ')}>{formatTypes(types)}</span>,
  },
  created: {
    id: 'made',
    header: 'Created',
    sortKey: 'createdAt',
    descendsFirst: true,
    width: '150px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
} satisfies Record<string, Column<Webhook>>;

function Name({ webhook: { id, url, description } }: { readonly webhook: Webhook }) {
  return (
    <Link to="/webhooks/$id" params={{ id }} className={styles.name} data-row-link title={url}>
      {description !== '' && <bdi>{description}</bdi>}
      <code>{shortenUrl(url)}</code>
    </Link>
  );
}
