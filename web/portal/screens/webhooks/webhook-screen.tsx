import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isStatus } from '../../../shared/transport/error.ts';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { TestEvent } from '../../../shared/webhooks/test-event.tsx';
import { WebhookAnswer, WebhookState } from '../../../shared/webhooks/webhook-state.tsx';
import { nameOf } from '../../../shared/webhooks/webhook.ts';
import { testWebhook, type Webhook, webhookQuery } from '../../api/events/webhooks.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { Missing } from '../../parts/missing.tsx';
import { Deliveries, useChanged, useLatestDelivery } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import styles from './webhooks-screen.module.css';

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
  const { id } = webhook;
  const changed = useChanged();
  const latest = useLatestDelivery(id);
  const test = async () => {
    try {
      return await testWebhook(id);
    } finally {
      changed();
    }
  };
  return (
    <Page
      title={nameOf(webhook)}
      above={UP}
      heading={
        <span className={styles.heading}>
          <bdi>{nameOf(webhook)}</bdi>
          <WebhookState webhook={webhook} latest={latest} />
        </span>
      }
      answer={<WebhookAnswer webhook={webhook} latest={latest} />}
      actions={<WebhookActions webhook={webhook} />}
    >
      <WebhookFacts webhook={webhook} />
      <Section title="Test">
        <TestEvent test={test} />
      </Section>
      <Deliveries webhook={webhook} />
    </Page>
  );
}
