import { useMutation } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Note } from '../ui/page/states.tsx';
import { AttemptView } from './attempt-view.tsx';
import type { Delivery } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly test: () => Promise<Delivery>;
  /** The same from a terminal, and the like. */
  readonly children?: ReactNode;
}

/** Sends `webhook.test` now, once, and shows what came back. */
export function TestEvent({ test, children }: Props) {
  const trial = useMutation({ mutationFn: test });
  const attempt = trial.data?.attempts[0];
  return (
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
  );
}
