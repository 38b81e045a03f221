import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isStatus } from '../../../shared/transport/error.ts';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { Deliveries } from '../../../shared/webhooks/deliveries.tsx';
import { WebhookActions } from '../../../shared/webhooks/webhook-actions.tsx';
import { WebhookFacts } from '../../../shared/webhooks/webhook-facts.tsx';
import { WEBHOOKS_LINK, WebhookPage } from '../../../shared/webhooks/webhook-page.tsx';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { readDeliveries, readRequest, webhookQuery } from '../../api/events/webhooks.ts';
import { sendRequest } from '../../api/transport/client.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { Missing } from '../../parts/missing.tsx';
import { ChangeWebhookDialog, DeleteWebhookDialog, RotateSecretDialog, StatusDialog } from './lazy-dialogs.ts';

/** Shows a webhook, and whether events reach it. */
export function WebhookScreen() {
  const { id } = useParams({ from: '/webhooks/$id' });
  const webhook = useQuery(webhookQuery(id));
  if (webhook.data !== undefined) return <OneWebhook key={id} webhook={webhook.data} />;
  const isGone = isStatus(webhook.error, 404);
  return (
    <Page title="Webhook" above={WEBHOOKS_LINK}>
      {webhook.isPending && <Loading label="Loading the webhook" />}
      {isGone && (
        <Missing what="webhook" to="/webhooks" link="All webhooks">
          It may have been deleted.
        </Missing>
      )}
      {webhook.isError && !isGone && <ReadFailure query={webhook} what="the webhook" />}
    </Page>
  );
}

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  return (
    <WebhookPage
      webhook={webhook}
      readDeliveries={readDeliveries}
      send={sendRequest}
      actions={
        <WebhookActions
          webhook={webhook}
          ChangeDialog={ChangeWebhookDialog}
          StatusDialog={StatusDialog}
          RotateDialog={RotateSecretDialog}
          DeleteDialog={DeleteWebhookDialog}
        />
      }
    >
      <Deliveries
        webhook={webhook}
        readDeliveries={readDeliveries}
        readRequest={readRequest}
        ReadFailure={ReadFailure}
        send={sendRequest}
      />
      <WebhookFacts webhook={webhook} typeLink={(type) => <TypeLink type={type} />} />
    </WebhookPage>
  );
}

function TypeLink({ type }: { readonly type: string }) {
  return (
    <Link to="/events/$type" params={{ type }}>
      <code>{type}</code>
    </Link>
  );
}
