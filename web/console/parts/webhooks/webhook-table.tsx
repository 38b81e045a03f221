import { Link } from '@tanstack/react-router';
import { type Column, DataTable, type Sorting } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { typesInWords } from '../../../shared/webhooks/type-groups.ts';
import { WebhookState } from '../../../shared/webhooks/webhook-state.tsx';
import { shortUrl } from '../../../shared/webhooks/webhook.ts';
import styles from '../../../shared/webhooks/webhooks.module.css';
import type { Webhook } from '../../api/events/webhooks.ts';
import { WebhookOwner } from './webhook-owner.tsx';

const columns: readonly Column<Webhook>[] = [
  { id: 'url', header: 'Webhook', sortKey: 'name', cell: (webhook) => <Name webhook={webhook} /> },
  {
    id: 'state',
    header: 'Status',
    sortKey: 'status',
    descendsFirst: true,
    width: '150px',
    cell: (webhook) => <WebhookState webhook={webhook} withReason />,
  },
  {
    id: 'account',
    header: 'Belongs to',
    width: '150px',
    hideBelow: 'narrow',
    cell: ({ accountId }) => <WebhookOwner accountId={accountId} />,
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
    sortKey: 'createdAt',
    descendsFirst: true,
    width: '130px',
    hideBelow: 'wide',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

interface Props {
  readonly webhooks: readonly Webhook[];
  /** All belong to one account, which is named above the list. */
  readonly ofOneAccount?: boolean;
  /** Without it, they are in the order of their creation, newest first. */
  readonly sorting?: Sorting;
  readonly onEnd?: () => void;
}

export function WebhookTable({ webhooks, ofOneAccount = false, sorting, onEnd }: Props) {
  return (
    <DataTable
      caption={sorting === undefined ? 'Webhooks, newest first' : 'Webhooks'}
      sorting={sorting}
      columns={ofOneAccount ? columns.filter(({ id }) => id !== 'account') : columns}
      rows={webhooks}
      rowId={({ id }) => id}
      onEnd={onEnd}
    />
  );
}

function Name({ webhook: { id, url, description } }: { readonly webhook: Webhook }) {
  return (
    <Link to="/webhooks/$id" params={{ id }} className={styles.name} data-row-link title={url}>
      {description !== '' && <bdi>{description}</bdi>}
      <code>{shortUrl(url)}</code>
    </Link>
  );
}
