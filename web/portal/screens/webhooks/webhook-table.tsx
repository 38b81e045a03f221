import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { typesInWords } from '../../../shared/webhooks/type-groups.ts';
import { WebhookState } from '../../../shared/webhooks/webhook-state.tsx';
import { shortUrl } from '../../../shared/webhooks/webhook.ts';
import type { Webhook } from '../../api/events/webhooks.ts';
import styles from '../../../shared/webhooks/webhooks.module.css';

const columns: readonly Column<Webhook>[] = [
  { id: 'url', header: 'Webhook', cell: (webhook) => <Name webhook={webhook} /> },
  {
    id: 'state',
    header: 'State',
    width: '150px',
    cell: (webhook) => <WebhookState webhook={webhook} withReason />,
  },
  {
    id: 'types',
    header: 'Events',
    hideBelow: 'medium',
    cell: ({ types }) => <span title={types.join(', ')}>{typesInWords(types)}</span>,
  },
  {
    id: 'made',
    header: 'Created',
    width: '150px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

export function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return <DataTable caption="Your webhooks, newest first" columns={columns} rows={webhooks} rowId={({ id }) => id} />;
}

function Name({ webhook: { id, url, description } }: { readonly webhook: Webhook }) {
  return (
    <Link to="/webhooks/$id" params={{ id }} className={styles.name} data-row-link title={url}>
      {description !== '' && <bdi>{description}</bdi>}
      <code>{shortUrl(url)}</code>
    </Link>
  );
}
