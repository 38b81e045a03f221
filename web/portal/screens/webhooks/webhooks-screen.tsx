import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { NewSecretDialog } from '../../../shared/webhooks/lazy-dialogs.ts';
import { webhookColumns } from '../../../shared/webhooks/webhook-columns.tsx';
import type { Webhook, WebhookWithSecret } from '../../../shared/webhooks/webhook.ts';
import { webhooksQuery } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { useSession } from '../../session/session-context.ts';
import { CreateWebhookDialog } from './lazy-dialogs.ts';

const COLUMNS = Object.values(webhookColumns);

/** Lists the user's webhooks, and says whether their events arrive. */
export function WebhooksScreen() {
  const { canChange } = useSession();
  if (canChange) return <OwnWebhooks />;
  return (
    <Page title="Webhooks">
      <p>You are signed in with a key. Sign in to your account to see and add webhooks.</p>
    </Page>
  );
}

function OwnWebhooks() {
  const webhooks = useQuery(webhooksQuery);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const navigate = useNavigate();
  const items = webhooks.data?.items ?? [];
  const isFull = webhooks.data !== undefined && items.length >= webhooks.data.maxWebhooks;
  const add = (
    <Button kind="primary" icon={Plus} disabled={isFull} onClick={() => setAdding(true)}>
      Add a webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      summary={<WebhooksSummary webhooks={webhooks.data?.items} maxWebhooks={webhooks.data?.maxWebhooks} />}
      actions={items.length > 0 && add}
    >
      {webhooks.isPending && <Loading label="Loading the webhooks" />}
      {webhooks.isError && webhooks.data === undefined && <ReadFailure query={webhooks} what="your webhooks" />}
      {webhooks.data !== undefined && items.length === 0 && (
        <Empty icon={WebhookIcon} title="No webhooks yet" action={add}>
          <p>
            Add a URL to be notified when a key is about to expire, a quota is nearly used up, or something changes in
            the API. <Link to="/events">See all events.</Link>
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <DataTable caption="Your webhooks, newest first" columns={COLUMNS} rows={items} rowId={({ id }) => id} />
      )}
      {adding && <CreateWebhookDialog onClose={() => setAdding(false)} onCreated={setMade} />}
      {made !== null && (
        <NewSecretDialog
          secret={made.secret}
          onClose={() => void navigate({ to: '/webhooks/$id', params: { id: made.id } })}
        />
      )}
    </Page>
  );
}

function WebhooksSummary({
  webhooks,
  maxWebhooks,
}: {
  readonly webhooks: readonly Webhook[] | undefined;
  readonly maxWebhooks: number | undefined;
}) {
  if (webhooks === undefined || maxWebhooks === undefined) return null;
  if (webhooks.length === 0) return <p>Webhooks deliver events to your service as they happen.</p>;
  const failing = webhooks.filter(({ status, failingSince }) => status === 'enabled' && failingSince !== null);
  const disabled = webhooks.filter(({ status }) => status === 'disabled');
  const words = [
    failing.length > 0 &&
      `${failing.length} of ${pluralize(webhooks.length, 'webhook')} ${failing.length === 1 ? 'is' : 'are'} failing`,
    disabled.length > 0 && `${disabled.length} ${disabled.length === 1 ? 'is' : 'are'} disabled`,
  ].filter((each) => each !== false);
  return (
    <p>
      <strong>
        {words.length === 0 ? `${pluralize(webhooks.length, 'webhook')}, none failing` : words.join(', ')}
      </strong>
      . You can have up to {maxWebhooks}.
    </p>
  );
}
