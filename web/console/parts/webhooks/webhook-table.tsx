import { type Column, DataTable, type Sorting } from '../../../shared/ui/data/data-table.tsx';
import { webhookColumns } from '../../../shared/webhooks/webhook-columns.tsx';
import type { Webhook } from '../../api/events/webhooks.ts';
import { WebhookOwner } from './webhook-owner.tsx';

const { name, status, types, created } = webhookColumns;
const account: Column<Webhook> = {
  id: 'account',
  header: 'Belongs to',
  width: '150px',
  hideBelow: 'narrow',
  cell: ({ accountId }) => <WebhookOwner accountId={accountId} />,
};
const createdIfWide: Column<Webhook> = { ...created, width: '130px', hideBelow: 'wide' };

interface Props {
  readonly webhooks: readonly Webhook[];
  /** All webhooks belong to one account, which is named above the list. */
  readonly ofOneAccount?: boolean;
  /** Omitted: webhooks are listed by creation, newest first. */
  readonly sorting?: Sorting;
  readonly onEnd?: () => void;
}

export function WebhookTable({ webhooks, ofOneAccount = false, sorting, onEnd }: Props) {
  return (
    <DataTable
      caption={sorting === undefined ? 'Webhooks, newest first' : 'Webhooks'}
      sorting={sorting}
      columns={[name, status, ...(ofOneAccount ? [] : [account]), types, createdIfWide]}
      rows={webhooks}
      rowId={({ id }) => id}
      onEnd={onEnd}
    />
  );
}
