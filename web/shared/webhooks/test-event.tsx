import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Change } from '../transport/change.ts';
import { Button } from '../ui/controls/button.tsx';
import { Section } from '../ui/page/page.tsx';
import { Note } from '../ui/page/states.tsx';
import { AttemptView } from './attempt-view.tsx';
import { testWebhook } from './webhook-changes.ts';
import type { Delivery } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly id: string;
  readonly send: (change: Change<Delivery>) => Promise<Delivery>;
  /** Further content, such as the equivalent command. */
  readonly children?: ReactNode;
}

/** Sends `webhook.test` once, immediately, and shows the response. */
export function TestEvent({ id, send, children }: Props) {
  const queries = useQueryClient();
  const trial = useMutation({
    mutationFn: () => send(testWebhook(id)),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const attempt = trial.data?.attempts[0];
  return (
    <Section title="Test event">
      <div className={styles.test}>
        <p className={styles.detail}>
          Sends <code>webhook.test</code> once and shows the response. Works for a disabled webhook too.
        </p>
        <div>
          <Button icon={Zap} disabled={trial.isPending} onClick={() => trial.mutate()}>
            {trial.isPending ? 'Waiting for the response…' : 'Send a test event'}
          </Button>
        </div>
        <div role="status" className={styles.test}>
          {attempt !== undefined && !trial.isPending && (
            <>
              <strong>{trial.data?.status === 'delivered' ? 'Delivered.' : 'Not delivered.'}</strong>
              <AttemptView attempt={attempt} label="The test" />
            </>
          )}
          {trial.error !== null && <Note tone="failed">{trial.error.message}</Note>}
        </div>
        {children}
      </div>
    </Section>
  );
}
