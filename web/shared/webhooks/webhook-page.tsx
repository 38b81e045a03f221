import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../ui/page/page.tsx';
import { type ReadDeliveries, useLatestDelivery } from './deliveries-query.ts';
import { WebhookSummary, WebhookState } from './webhook-state.tsx';
import { formatWebhookName, type Webhook } from './webhook.ts';
import styles from './webhooks.module.css';

export const WEBHOOKS_LINK = <Link to="/webhooks">Webhooks</Link>;

interface Props {
  readonly webhook: Webhook;
  readonly readDeliveries: ReadDeliveries;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** The page of a webhook. Its summary says whether events reach the webhook. */
export function WebhookPage({ webhook, readDeliveries, actions, children }: Props) {
  const latest = useLatestDelivery(readDeliveries, webhook.id);
  return (
    <Page
      title={formatWebhookName(webhook)}
      above={WEBHOOKS_LINK}
      heading={
        <span className={styles.heading}>
          <bdi>{formatWebhookName(webhook)}</bdi>
          <WebhookState webhook={webhook} latest={latest} />
        </span>
      }
      summary={<WebhookSummary webhook={webhook} latest={latest} />}
      actions={actions}
    >
      {children}
    </Page>
  );
}
