import type { ReactNode } from 'react';
import { Section } from '../ui/page/page.tsx';
import { Note } from '../ui/page/states.tsx';
import { AttemptView } from './attempt-view.tsx';
import type { TestEvent } from './test-event.tsx';
import { findLastAttempt } from './webhook-state.tsx';
import type { Delivery } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly test: TestEvent;
  /** Further content, such as the command that sends a test event. */
  readonly children?: ReactNode;
}

/** The response to the last attempt, which may be that of a test event. */
export function LastResponse({ deliveries, test, children }: Props) {
  // The list may not contain the delivery of the test yet.
  const last = findLastAttempt(test.data === undefined ? deliveries : [test.data, ...deliveries]);
  return (
    <Section title="Last response">
      <div className={styles.last}>
        {last === undefined ? (
          <p className={styles.detail}>Nothing was sent yet.</p>
        ) : (
          <AttemptView attempt={last.attempt} label={`Last attempt (${last.type})`} />
        )}
        <div role="status">
          {!test.isPending && test.data !== undefined && (
            <p className={styles.detail}>
              The test event was sent. {test.data.status === 'delivered' ? 'Delivered.' : 'Not delivered.'}
            </p>
          )}
          {test.error !== null && <Note tone="failed">{test.error.message}</Note>}
        </div>
        {children}
      </div>
    </Section>
  );
}
