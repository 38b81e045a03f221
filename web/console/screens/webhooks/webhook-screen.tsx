import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { isStatus } from '../../../shared/transport/error.ts';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Id } from '../../../shared/ui/controls/copy.tsx';
import { Fact, Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Deliveries } from '../../../shared/webhooks/deliveries.tsx';
import { WebhookActions } from '../../../shared/webhooks/webhook-actions.tsx';
import { redeliver, testWebhook } from '../../../shared/webhooks/webhook-changes.ts';
import { WebhookFacts } from '../../../shared/webhooks/webhook-facts.tsx';
import { WEBHOOKS_LINK, WebhookPage } from '../../../shared/webhooks/webhook-page.tsx';
import { AsCommand } from '../../actions/dialog/as-command.tsx';
import {
  ChangeWebhookDialog,
  DeleteWebhookDialog,
  RotateSecretDialog,
  WebhookStatusDialog,
} from '../../actions/lazy-dialogs.ts';
import { readDeliveries, readRequest, type Webhook, webhookQuery } from '../../api/events/webhooks.ts';
import { sendRequest } from '../../api/transport/client.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { WebhookOwner } from '../../parts/webhooks/webhook-owner.tsx';
import { useSession } from '../../session/session-context.ts';

/** Shows a webhook, and whether events reach it. */
export function WebhookScreen() {
  const { id } = useParams({ from: '/webhooks/$id' });
  const webhook = useQuery(webhookQuery(id));
  if (webhook.data !== undefined) return <OneWebhook key={id} webhook={webhook.data} />;
  const isGone = isStatus(webhook.error, 404);
  return (
    <Page title="Webhook" above={WEBHOOKS_LINK}>
      {webhook.isPending && <Loading label="Loading the webhook" />}
      {isGone && <NoSuchWebhook id={id} />}
      {webhook.isError && !isGone && <ReadFailure query={webhook} what="the webhook" />}
    </Page>
  );
}

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { id, accountId } = webhook;
  const { canChange } = useSession();
  return (
    <WebhookPage
      webhook={webhook}
      readDeliveries={readDeliveries}
      send={canChange ? sendRequest : undefined}
      testCommand={
        canChange && (
          <AsCommand change={testWebhook(id)} command={formatTollgateCommand(['webhooks', 'test', id], {})} />
        )
      }
      actions={
        canChange && (
          <WebhookActions
            webhook={webhook}
            ChangeDialog={ChangeWebhookDialog}
            StatusDialog={WebhookStatusDialog}
            RotateDialog={RotateSecretDialog}
            DeleteDialog={DeleteWebhookDialog}
          />
        )
      }
    >
      <Deliveries
        webhook={webhook}
        readDeliveries={readDeliveries}
        readRequest={readRequest}
        ReadFailure={ReadFailure}
        send={canChange ? sendRequest : undefined}
        command={canChange ? (delivery) => <AgainAsCommand id={delivery} /> : undefined}
      />
      <WebhookFacts webhook={webhook} typeLink={(type) => <TypeLink type={type} />}>
        <Fact name="Belongs to">
          <WebhookOwner accountId={accountId} />
        </Fact>
        <Fact name="Id">
          <Id id={id} whole />
        </Fact>
      </WebhookFacts>
      <Section title="Changes">
        <AuditTable filters={{ subject: id }} short />
      </Section>
    </WebhookPage>
  );
}

function TypeLink({ type }: { readonly type: string }) {
  return (
    <Link to="/events" search={{ type }}>
      <code>{type}</code>
    </Link>
  );
}

function AgainAsCommand({ id }: { readonly id: string }) {
  return <AsCommand change={redeliver(id)} command={formatTollgateCommand(['webhooks', 'redeliver', id], {})} />;
}

function NoSuchWebhook({ id }: { readonly id: string }) {
  return (
    <Empty
      icon={WebhookIcon}
      title="This webhook does not exist"
      action={
        <Link to="/webhooks" className={buttonClass('plain')}>
          All webhooks
        </Link>
      }
    >
      <code>{id}</code> may have been deleted. See the{' '}
      <Link to="/audit" search={{ subject: id }} className={parts.inText}>
        audit log
      </Link>
      .
    </Empty>
  );
}
