import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { type PlanRequest, withdrawRequest } from '../../api/plans.ts';
import parts from '../../parts/parts.module.css';
import styles from './plans-screen.module.css';

const STATES = {
  open: { tone: 'accent', icon: Clock, words: 'Waits for an answer' },
  approved: { tone: 'served', icon: CircleCheck, words: 'Approved' },
  declined: { tone: 'refused', icon: CircleX, words: 'Declined' },
} as const;

/** What was asked for, and what was answered. */
export function PlanRequests({ requests }: { readonly requests: readonly PlanRequest[] }) {
  return requests.map((request) => <OneRequest key={request.id} request={request} />);
}

function OneRequest({
  request: { id, plan, message, status, reason, createdAt, decidedAt },
}: {
  readonly request: PlanRequest;
}) {
  const { tone, icon, words } = STATES[status];
  return (
    <article className={parts.card} aria-label={`Request for ${plan}`}>
      <header className={parts.cardHead}>
        <h3>{plan}</h3>
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
      </header>
      {message !== '' && (
        <p className={styles.message}>
          <bdi>{message}</bdi>
        </p>
      )}
      {reason !== null && (
        <p>
          The answer: <bdi>{reason}</bdi>
        </p>
      )}
      <p className={parts.small}>
        Asked <Time at={createdAt} />
        {decidedAt !== null && (
          <>
            , answered <Time at={decidedAt} />
          </>
        )}
      </p>
      {status === 'open' && <Withdraw id={id} />}
    </article>
  );
}

function Withdraw({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const withdrawal = useMutation({
    mutationFn: () => withdrawRequest(id),
    onError: (error) => toast({ tone: 'failed', message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan-requests'] }),
  });
  return (
    <div className={parts.actions}>
      <Button disabled={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
        Withdraw the request
      </Button>
    </div>
  );
}
