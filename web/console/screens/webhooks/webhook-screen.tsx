import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { isStatus } from '../../../shared/transport/error.ts';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { WebhookAnswer, WebhookState } from '../../../shared/webhooks/webhook-state.tsx';
import { nameOf } from '../../../shared/webhooks/webhook.ts';
import { type Webhook, webhookQuery } from '../../api/events/webhooks.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';
import { Deliveries, useLatestDelivery } from './deliveries.tsx';
import { Trial } from './test-event.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';

const UP = <Link to="/webhooks">Webhooks</Link>;

/** Do events reach this webhook? */
export function WebhookScreen() {
  const { id } = useParams({ from: '/webhooks/$id' });
  const webhook = useQuery(webhookQuery(id));
  if (webhook.data !== undefined) return <OneWebhook key={id} webhook={webhook.data} />;
  const isGone = isStatus(webhook.error, 404);
  return (
    <Page title="Webhook" above={UP}>
      {webhook.isPending && <Loading label="Loading the webhook" />}
      {isGone && <NoSuchWebhook id={id} />}
      {webhook.isError && !isGone && <ReadFailure query={webhook} what="the webhook" />}
    </Page>
  );
}

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { canChange } = useSession();
  const latest = useLatestDelivery(webhook.id);
  return (
    <Page
      title={nameOf(webhook)}
      above={UP}
      heading={
        <span className={parts.heading}>
          <bdi>{nameOf(webhook)}</bdi>
          <WebhookState webhook={webhook} latest={latest} />
        </span>
      }
      answer={<WebhookAnswer webhook={webhook} latest={latest} />}
      actions={<WebhookActions webhook={webhook} />}
    >
      <WebhookFacts webhook={webhook} />
      {canChange && <Trial id={webhook.id} />}
      <Deliveries webhook={webhook} />
      <Section title="Changes">
        <AuditTable filters={{ subject: webhook.id }} short />
      </Section>
    </Page>
  );
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
