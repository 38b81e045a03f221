import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { useShortcuts } from '../../../shared/behavior/shortcuts.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { NewSecretDialog } from '../../../shared/webhooks/lazy-dialogs.ts';
import type { Webhook, WebhookWithSecret } from '../../../shared/webhooks/webhook.ts';
import { CreateWebhookDialog } from '../../actions/lazy-dialogs.ts';
import { type WebhookFilters, webhooksQuery } from '../../api/events/webhooks.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session-context.ts';
import { WebhookTable } from '../../parts/webhooks/webhook-table.tsx';
import { findChosen, WebhooksToolbar } from './webhooks-toolbar.tsx';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

/** Lists the webhooks, and says whether their events arrive. */
export function WebhooksScreen() {
  const filters = useFilters();
  const sorting = useSortInUrl('-createdAt');
  const list = useInfiniteQuery(webhooksQuery(filters, sorting.sort));
  const webhooks = list.data?.pages.flatMap(({ items }) => items);
  const creation = useCreation();
  useRowShortcuts();
  const { hasNextPage, isFetchingNextPage } = list;
  const more = useNextPage(list);
  return (
    <ListPage
      title="Webhooks"
      summary={webhooks !== undefined && <WebhooksSummary webhooks={webhooks} more={hasNextPage} />}
      actions={
        <>
          <Freshness query={list} />
          {creation.button}
        </>
      }
    >
      <WebhooksToolbar filters={filters} />
      {list.isPending && <Loading label="Loading the webhooks" />}
      {list.isError && webhooks === undefined && <ReadFailure query={list} what="the webhooks" />}
      {webhooks?.length === 0 && <NoWebhooks filtered={Object.keys(filters).length > 0} action={creation.button} />}
      {webhooks !== undefined && webhooks.length > 0 && (
        <WebhookTable webhooks={webhooks} sorting={sorting} onEnd={more} />
      )}
      {isFetchingNextPage && <Loading rows={2} label="Loading more webhooks" />}
      {creation.dialogs}
    </ListPage>
  );
}

function useFilters(): WebhookFilters {
  const { account, ...given } = useSearch({ from: '/webhooks' });
  const chosen = findChosen(given);
  return useMemo(() => ({ ...(account === undefined ? {} : { account }), ...chosen }), [account, chosen]);
}

function useCreation() {
  const dialog = useDialogInUrl();
  const navigate = useNavigate();
  const { canChange } = useSession();
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const { open: show } = dialog;
  const open = useCallback(() => show('create'), [show]);
  useShortcuts(useMemo(() => ({ n: canChange ? open : undefined }), [canChange, open]));
  const button = canChange && (
    <Button kind="primary" icon={Plus} onClick={open}>
      Create a webhook
    </Button>
  );
  const dialogs = (
    <>
      {canChange && dialog.opened === 'create' && <CreateWebhookDialog onClose={dialog.close} onCreated={setMade} />}
      {made !== null && (
        <NewSecretDialog
          secret={made.secret}
          onClose={() => void navigate({ to: '/webhooks/$id', params: { id: made.id } })}
        />
      )}
    </>
  );
  return { button, dialogs };
}

function WebhooksSummary({ webhooks, more }: { readonly webhooks: readonly Webhook[]; readonly more: boolean }) {
  const failing = webhooks.filter(({ status, failingSince }) => status === 'enabled' && failingSince !== null).length;
  const disabled = webhooks.filter(({ status }) => status === 'disabled').length;
  return (
    <p>
      <strong>
        {more && 'More than '}
        {pluralize(webhooks.length, 'webhook')}
      </strong>
      {!more && failing > 0 && ` · ${failing} failing`}
      {!more && disabled > 0 && ` · ${disabled} disabled`}
      {!more && webhooks.length > 0 && failing + disabled === 0 && ' · none failing'}
    </p>
  );
}

function NoWebhooks({ filtered, action }: { readonly filtered: boolean; readonly action: React.ReactNode }) {
  if (filtered) {
    return <Empty icon={WebhookIcon} title="No matching webhooks" action={<ClearFilters />} />;
  }
  return (
    <Empty icon={WebhookIcon} title="No webhooks yet" action={action}>
      Webhooks deliver events to URLs: yours, such as a pager or a chat, and those that consumers add in the portal.
    </Empty>
  );
}
