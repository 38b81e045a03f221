import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../ui/page/page.tsx';
import { deliveriesQuery, type ReadDeliveries } from './deliveries-query.ts';
import { LastResponse } from './last-response.tsx';
import { SuccessChart } from './success-chart.tsx';
import { type SendTest, TestButton, useTestEvent } from './test-event.tsx';
import { findLatestDelivery, WebhookSummary, WebhookState } from './webhook-state.tsx';
import { formatWebhookName, type Webhook } from './webhook.ts';
import styles from './webhooks.module.css';

export const WEBHOOKS_LINK = <Link to="/webhooks">Webhooks</Link>;

interface Props {
  readonly webhook: Webhook;
  readonly readDeliveries: ReadDeliveries;
  /** Undefined for users who may not make changes. */
  readonly send: SendTest | undefined;
  readonly actions: ReactNode;
  /** The command that sends a test event. */
  readonly testCommand?: ReactNode;
  readonly children: ReactNode;
}

/** The page of a webhook. It says whether events reach it: in its header, with the last response, and as a chart. */
export function WebhookPage(props: Props) {
  const { webhook, readDeliveries, send, actions, testCommand, children } = props;
  const list = useInfiniteQuery(deliveriesQuery(readDeliveries, webhook.id));
  const deliveries = list.data?.pages.flatMap(({ items }) => items);
  const latest = deliveries && findLatestDelivery(deliveries);
  const test = useTestEvent(webhook.id, send);
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
      actions={
        <>
          {send !== undefined && <TestButton test={test} />}
          {actions}
        </>
      }
    >
      {deliveries !== undefined && (
        <div className={styles.results}>
          <LastResponse deliveries={deliveries} test={test}>
            {testCommand}
          </LastResponse>
          <SuccessChart deliveries={deliveries} />
        </div>
      )}
      {children}
    </Page>
  );
}
